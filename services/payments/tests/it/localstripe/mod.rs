//! The client of the card provider against localstripe, an implementation of the provider's API by other authors.
//!
//! localstripe has no idempotency keys, bank accounts, wallets, disputes, ends of holds and lists of a customer's payment intents;
//! the other tests use the card sandbox for them.

mod proxy;
mod server;

use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{AuthorizeChargeRequest, ChargeState, DeletePaymentMethodRequest};
use testing::into_result;

use self::server::LocalStripe;
use crate::harness::{AMOUNT, Consumer, Harness, Webhook, abandoned, accepted, new_order_id, top_up_request};

const GOOD: &str = "4242424242424242";
const DECLINES_WHEN_CHARGED: &str = "4000000000000341";
const NEEDS_AUTHENTICATION: &str = "4000002760003184";

async fn start() -> (Harness, LocalStripe) {
    let (mut harness, localstripe) = (Harness::new().await, LocalStripe::start().await);
    harness.use_provider(&localstripe.origin);
    (harness, localstripe)
}

/// Adds a card as the web app does. Returns the id of the payment method.
async fn add_card(localstripe: &LocalStripe, ada: &Consumer<'_>, number: &str) -> String {
    let before = ada.list_methods().await;
    localstripe
        .save_card(&ada.create_setup_intent().await, number)
        .await;
    let methods = ada.add_card().await;
    let new = methods.into_iter().find(|method| !before.contains(method));
    new.expect("a new method").payment_method_id
}

/// Returns the provider's payment intent of the newest charge.
async fn intent(harness: &Harness, localstripe: &LocalStripe) -> serde_json::Value {
    let id: String = sqlx::query_scalar("SELECT provider_id FROM charges ORDER BY created_at DESC LIMIT 1")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    localstripe.get(&format!("payment_intents/{id}")).await
}

/// Charges a top-up at once.
async fn top_up(harness: &Harness, ada: &Consumer<'_>, card: &str) -> AuthorizeChargeRequest {
    let request = top_up_request(ada, card);
    let charge = harness.charge("gift-cards", request.clone()).await.unwrap();
    assert_eq!(charge.state(), ChargeState::Succeeded);
    request
}

#[tokio::test]
async fn cards_are_saved_imported_and_detached() {
    let (harness, localstripe) = start().await;
    let ada = harness.consumer();
    let setup_intent_id = localstripe
        .save_card(&ada.create_setup_intent().await, GOOD)
        .await;
    let methods = ada.save_method(&setup_intent_id, true).await.unwrap();
    let saved = methods[0].payment_method_id.clone();
    add_card(&localstripe, &ada, NEEDS_AUTHENTICATION).await;
    let methods = ada.list_methods().await;
    let mut cards: Vec<_> = methods
        .iter()
        .map(|method| (method.last4.as_str(), method.is_default))
        .collect();
    cards.sort_unstable();
    assert_eq!(cards, [("3184", false), ("4242", true)]);

    let request = ada.request(DeletePaymentMethodRequest {
        payment_method_id: saved,
    });
    into_result(harness.grpc().delete_payment_method(request).await).unwrap();
    harness.execute_effects().await;
    let customer: String = sqlx::query_scalar("SELECT provider_id FROM provider_customers")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    let attached = localstripe
        .get(&format!("payment_methods?customer={customer}&type=card"))
        .await;
    assert_eq!(attached["total_count"], 1);
    harness.shut_down().await;
}

#[tokio::test]
async fn an_authorization_is_captured_or_voided() {
    let (harness, localstripe) = start().await;
    let ada = harness.consumer();
    let card = add_card(&localstripe, &ada, GOOD).await;
    for (change, state, status, captured) in [
        (accepted(), "succeeded", "succeeded", true),
        (abandoned(), "voided", "canceled", false),
    ] {
        let order_id = new_order_id();
        let charge = harness.authorize(order_id, &ada, &card).await.unwrap();
        assert_eq!(charge.state(), ChargeState::Authorized);
        let held = intent(&harness, &localstripe).await;
        assert_eq!(
            (&held["status"], &held["amount"], &held["metadata"]["order_id"]),
            (
                &"requires_capture".into(),
                &AMOUNT.into(),
                &order_id.to_string().into()
            )
        );
        harness.consume_order_event(order_id, change).await;
        harness.execute_effects().await;
        assert_eq!(harness.stored_state(order_id).await, state);
        let ended = intent(&harness, &localstripe).await;
        assert_eq!(
            (&ended["status"], &ended["latest_charge"]["captured"]),
            (&status.into(), &captured.into())
        );
    }
    harness.shut_down().await;
}

#[tokio::test]
async fn a_charge_is_refunded_in_parts() {
    let (harness, localstripe) = start().await;
    let ada = harness.consumer();
    let card = add_card(&localstripe, &ada, GOOD).await;
    let subject = top_up(&harness, &ada, &card).await.subject.unwrap();
    for (refund_id, cents, refunded) in [("first", 400, 400), ("rest", AMOUNT - 400, AMOUNT)] {
        for _ in 0..2 {
            harness.refund(subject.clone(), refund_id, cents).await.unwrap();
            harness.execute_effects().await;
        }
        let charge = &intent(&harness, &localstripe).await["latest_charge"];
        assert_eq!(charge["amount_refunded"], refunded);
    }
    let state: String = sqlx::query_scalar("SELECT state FROM charges")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(state, "refunded");
    let events = harness.charge_events().await;
    let refunds = events.iter().filter(|event| *event == "payments.RefundDone");
    assert_eq!(refunds.count(), 2);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_decline_and_an_authentication_end_as_the_provider_says() {
    let (harness, localstripe) = start().await;
    let ada = harness.consumer();
    let declines = add_card(&localstripe, &ada, DECLINES_WHEN_CHARGED).await;
    let declined = harness.authorize(new_order_id(), &ada, &declines).await.unwrap();
    assert_eq!(
        (declined.state(), &*declined.decline_reason),
        (ChargeState::Declined, "CARD_DECLINED")
    );
    let card = add_card(&localstripe, &ada, NEEDS_AUTHENTICATION).await;
    for (is_successful, state) in [(true, ChargeState::Authorized), (false, ChargeState::Declined)] {
        let order_id = new_order_id();
        let waiting = harness.authorize(order_id, &ada, &card).await.unwrap();
        assert_eq!(waiting.state(), ChargeState::RequiresAction);
        localstripe
            .authenticate(&waiting.client_secret, is_successful)
            .await;
        assert_eq!(harness.refresh(order_id).await.unwrap().state(), state);
    }
    harness.shut_down().await;
}

#[tokio::test]
async fn webhooks_that_another_implementation_signs_are_accepted() {
    let (harness, localstripe) = start().await;
    let ada = harness.consumer();
    let card = add_card(&localstripe, &ada, GOOD).await;
    top_up(&harness, &ada, &card).await;
    let webhook = localstripe.webhook("payment_intent.succeeded").await;
    for _ in 0..2 {
        harness.receive_webhook(&webhook).await.unwrap();
    }
    assert_eq!(harness.count_rows("provider_events").await, 1);
    let mut payload = webhook.payload.clone();
    payload.push(b' ');
    let changed = Webhook { payload, ..webhook };
    let error = harness.receive_webhook(&changed).await.unwrap_err();
    assert_eq!(error.reason, "SIGNATURE_INVALID");
    harness.shut_down().await;
}
