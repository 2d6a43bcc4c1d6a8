//! The provider's official client can read every response.

use std::collections::BTreeSet;

use stripe::{Client, ClientBuilder, IdempotencyKey, RequestStrategy, StripeError, StripeRequest as _};
use stripe_core::customer::{CreateCustomer, DeleteCustomer, RetrieveCustomer, UpdateCustomer};
use stripe_core::event::{ListEvent, RetrieveEvent};
use stripe_core::payment_intent::{
    CancelPaymentIntent, CapturePaymentIntent, ConfirmPaymentIntent, CreatePaymentIntent,
    RetrievePaymentIntent,
};
use stripe_core::refund::{CreateRefund, RetrieveRefund};
use stripe_core::setup_intent::{CancelSetupIntent, CreateSetupIntent, RetrieveSetupIntent};
use stripe_payment::payment_method::{
    AttachPaymentMethod, DetachPaymentMethod, ListPaymentMethod, RetrievePaymentMethod,
};
use stripe_shared::{PaymentIntentCaptureMethod, PaymentIntentStatus, SetupIntentStatus};

use stripe_types::Currency;
use stripe_webhook::{EventObject, Webhook};

use crate::harness::{SECRET_KEY, Sandbox, WEBHOOK_SECRET, id};

fn client(sandbox: &Sandbox) -> Client {
    ClientBuilder::new(SECRET_KEY)
        .url(sandbox.origin.as_str())
        .build()
        .unwrap()
}

#[tokio::test]
async fn the_client_reads_customers_and_payment_methods() {
    let sandbox = Sandbox::start().await;
    let client = client(&sandbox);
    let customer = CreateCustomer::new()
        .name("Ada")
        .email("ada@example.com")
        .send(&client)
        .await
        .unwrap();
    let card = AttachPaymentMethod::new("pm_card_visa")
        .customer(customer.id.as_str())
        .send(&client)
        .await
        .unwrap();
    let bank = AttachPaymentMethod::new("pm_usBankAccount")
        .customer(customer.id.as_str())
        .send(&client)
        .await
        .unwrap();
    assert_eq!(bank.us_bank_account.unwrap().last4.as_deref(), Some("6789"));
    UpdateCustomer::new(&customer.id)
        .description("regular")
        .send(&client)
        .await
        .unwrap();
    RetrieveCustomer::new(&customer.id).send(&client).await.unwrap();
    let list = ListPaymentMethod::new()
        .customer(customer.id.as_str())
        .send(&client)
        .await
        .unwrap();
    assert_eq!(list.data.len(), 2);
    assert_eq!(
        RetrievePaymentMethod::new(card.id.as_str())
            .send(&client)
            .await
            .unwrap()
            .card
            .unwrap()
            .brand,
        "visa"
    );
    DetachPaymentMethod::new(card.id.as_str())
        .send(&client)
        .await
        .unwrap();
    DeleteCustomer::new(&customer.id).send(&client).await.unwrap();
    RetrieveCustomer::new(&customer.id).send(&client).await.unwrap();
}

#[tokio::test]
async fn the_client_reads_setup_intents() {
    let sandbox = Sandbox::start().await;
    let client = client(&sandbox);
    let customer = CreateCustomer::new().send(&client).await.unwrap();
    let setup = CreateSetupIntent::new()
        .customer(customer.id.as_str())
        .payment_method("pm_card_authenticationRequired")
        .confirm(true)
        .send(&client)
        .await
        .unwrap();
    assert_eq!(setup.status, SetupIntentStatus::RequiresAction);
    RetrieveSetupIntent::new(&setup.id).send(&client).await.unwrap();
    let setup = CancelSetupIntent::new(&setup.id).send(&client).await.unwrap();
    assert_eq!(setup.status, SetupIntentStatus::Canceled);
}

fn authorization(method: &str) -> CreatePaymentIntent {
    CreatePaymentIntent::new(1250, Currency::USD)
        .payment_method(method)
        .capture_method(PaymentIntentCaptureMethod::Manual)
        .confirm(true)
        .expand(["latest_charge".to_owned(), "payment_method".to_owned()])
}

#[tokio::test]
async fn the_client_authorizes_captures_cancels_and_refunds() {
    let sandbox = Sandbox::start().await;
    let client = client(&sandbox);
    let request = authorization("pm_card_visa").metadata([("order_id".to_owned(), "ord_1".to_owned())]);
    let strategy = RequestStrategy::Idempotent(IdempotencyKey::new("place-ord_1").unwrap());
    let intent = request
        .customize()
        .request_strategy(strategy.clone())
        .send(&client)
        .await
        .unwrap();
    let again = request
        .customize()
        .request_strategy(strategy)
        .send(&client)
        .await
        .unwrap();
    assert_eq!(intent.id, again.id);
    assert_eq!(intent.status, PaymentIntentStatus::RequiresCapture);
    assert!(intent.latest_charge.unwrap().into_object().is_some());
    CapturePaymentIntent::new(&intent.id).send(&client).await.unwrap();
    let refund = CreateRefund::new()
        .payment_intent(intent.id.as_str())
        .amount(250)
        .send(&client)
        .await
        .unwrap();
    RetrieveRefund::new(&refund.id).send(&client).await.unwrap();

    let other = authorization("pm_card_visa").send(&client).await.unwrap();
    let other = CancelPaymentIntent::new(&other.id).send(&client).await.unwrap();
    assert_eq!(other.status, PaymentIntentStatus::Canceled);
    let events = ListEvent::new().send(&client).await.unwrap();
    RetrieveEvent::new(&events.data[0].id)
        .send(&client)
        .await
        .unwrap();
}

#[tokio::test]
async fn the_client_reads_declines_and_next_actions() {
    let sandbox = Sandbox::start().await;
    let client = client(&sandbox);
    let error = authorization("pm_card_chargeDeclinedInsufficientFunds")
        .send(&client)
        .await
        .unwrap_err();
    let StripeError::Stripe(error, 402) = error else {
        panic!("expected a decline: {error}")
    };
    assert_eq!(error.decline_code.as_deref(), Some("insufficient_funds"));
    let intent = error.payment_intent.as_ref().unwrap();
    let intent = RetrievePaymentIntent::new(&intent.id)
        .send(&client)
        .await
        .unwrap();
    assert!(intent.last_payment_error.is_some());
    let intent = ConfirmPaymentIntent::new(&intent.id)
        .payment_method("pm_card_authenticationRequired")
        .return_url("https://app.example/back")
        .send(&client)
        .await
        .unwrap();
    assert_eq!(intent.status, PaymentIntentStatus::RequiresAction);
    assert!(intent.next_action.unwrap().redirect_to_url.is_some());
    let error = RetrievePaymentIntent::new("pi_unknown")
        .send(&client)
        .await
        .unwrap_err();
    assert!(matches!(error, StripeError::Stripe(_, 404)));
}

#[tokio::test]
async fn the_official_library_knows_every_event_type() {
    let sandbox = Sandbox::start().await;
    let customer = sandbox.customer().await;
    let card = sandbox.saved_card(&customer, "4242424242424242").await;
    let (_, authorized) = sandbox
        .pay(&card, &[("customer", &customer), ("capture_method", "manual")])
        .await;
    sandbox
        .post(&format!("/v1/payment_intents/{}/capture", id(&authorized)), &[])
        .await;
    sandbox
        .post("/v1/refunds", &[("payment_intent", &id(&authorized))])
        .await;
    let (_, canceled) = sandbox.pay("pm_card_visa", &[("capture_method", "manual")]).await;
    sandbox
        .post(&format!("/v1/payment_intents/{}/cancel", id(&canceled)), &[])
        .await;
    for token in [
        "pm_card_chargeDeclined",
        "pm_card_authenticationRequired",
        "pm_card_createDispute",
    ] {
        sandbox.pay(token, &[]).await;
        sandbox
            .post(
                "/v1/setup_intents",
                &[("payment_method", token), ("confirm", "true")],
            )
            .await;
    }
    let (_, debit) = sandbox.pay("pm_usBankAccount", &[]).await;
    for end in ["settle", "return"] {
        sandbox
            .admin(
                &format!("payment_intents/{}/{end}", id(&debit)),
                serde_json::json!({}),
            )
            .await;
    }
    sandbox.delete(&format!("/v1/customers/{customer}")).await;

    let (_, events) = sandbox.get("/v1/events?limit=100").await;
    let mut event_types = BTreeSet::new();
    for event in events["data"].as_array().unwrap() {
        let body = event.to_string();
        let signature = Webhook::generate_test_header(&body, WEBHOOK_SECRET, None);
        let read = Webhook::construct_event(&body, &signature, WEBHOOK_SECRET).unwrap();
        assert!(
            !matches!(read.data.object, EventObject::Unknown(_)),
            "{}",
            event["type"]
        );
        event_types.insert(event["type"].to_string());
    }
    assert!(event_types.len() > 20, "{event_types:?}");
}
