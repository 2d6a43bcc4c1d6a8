//! Tests of `AuthorizeCharge`.

use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{AuthorizeChargeRequest, ChargePurpose, ChargeState, ChargeSubject};

use testing::{into_result, request_from_service};

use crate::harness::{AMOUNT, Card, Harness, new_order_id};

#[tokio::test]
async fn a_valid_card_is_authorized_and_not_captured() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    let charge = harness.authorize(order_id, &ada, &card).await.unwrap();

    assert_eq!(charge.state(), ChargeState::Authorized);
    assert_eq!(charge.amount.unwrap().minor_units, AMOUNT);
    assert_eq!(
        (charge.client_secret.as_str(), charge.decline_reason.as_str()),
        ("", "")
    );
    let intent = harness.sandbox.intent().await;
    assert_eq!(
        (intent["status"].as_str(), intent["amount"].as_i64()),
        (Some("requires_capture"), Some(AMOUNT))
    );
    assert_eq!(intent["metadata"]["order_id"], order_id.to_string());
    assert_eq!(harness.charge_events().await, ["payments.PaymentAuthorized"]);
    harness.shut_down().await;
}

#[tokio::test]
async fn concurrent_equal_calls_create_one_charge_and_return_the_same_response() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    let responses =
        futures::future::join_all((0..20).map(|_| harness.authorize(order_id, &ada, &card))).await;
    let first = responses[0].clone().unwrap();
    assert_eq!(first.state(), ChargeState::Authorized);
    assert!(
        responses.iter().all(|response| response.as_ref() == Ok(&first)),
        "{responses:#?}"
    );
    harness.sandbox.intent().await;
    assert_eq!(harness.sandbox.held_or_captured_cents().await, AMOUNT);
    assert_eq!(harness.count_rows("charges").await, 1);
    assert_eq!(harness.charge_events().await, ["payments.PaymentAuthorized"]);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_decline_is_returned_with_its_reason() {
    for (code, reason) in [
        ("generic_decline", "CARD_DECLINED"),
        ("insufficient_funds", "INSUFFICIENT_FUNDS"),
        ("expired_card", "EXPIRED_CARD"),
        ("incorrect_cvc", "INCORRECT_CVC"),
        ("lost_card", "CARD_DECLINED"),
    ] {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::DeclinesWhenCharged).await;
        harness.sandbox.decline_all(code).await;
        let order_id = new_order_id();
        let charge = harness.authorize(order_id, &ada, &card).await.unwrap();
        assert_eq!(
            (charge.state(), charge.decline_reason.as_str()),
            (ChargeState::Declined, reason)
        );
        assert!(
            charge.decline_message.ends_with('.'),
            "{}",
            charge.decline_message
        );

        // A repeated call returns the same response, and the client can no longer confirm the intent.
        assert_eq!(harness.authorize(order_id, &ada, &card).await.unwrap(), charge);
        harness.execute_effects().await;
        assert_eq!(harness.sandbox.intent().await["status"], "canceled");
        assert_eq!(harness.authorize(order_id, &ada, &card).await.unwrap(), charge);
        assert_eq!(harness.charge_events().await, ["payments.PaymentDeclined"]);
        let event = harness.declined_event().await;
        assert_eq!(
            (event.reason, event.message),
            (charge.decline_reason, charge.decline_message)
        );
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn an_amount_that_the_provider_rejects_is_declined() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let charge = harness
        .authorize_amount(new_order_id(), &ada, &card, 10)
        .await
        .unwrap();
    assert_eq!(
        (charge.state(), charge.decline_reason.as_str()),
        (ChargeState::Declined, "PROVIDER_ERROR")
    );
    harness.execute_effects().await;
    assert!(harness.sandbox.intents().await.is_empty());
    harness.shut_down().await;
}

#[tokio::test]
async fn a_card_that_requires_authentication_is_authorized_after_it() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::NeedsAuthentication).await;
    let order_id = new_order_id();
    let charge = harness.authorize(order_id, &ada, &card).await.unwrap();
    assert_eq!(charge.state(), ChargeState::RequiresAction);
    assert!(!charge.client_secret.is_empty());

    // A repeated call returns the same secret, which is not stored.
    assert_eq!(harness.authorize(order_id, &ada, &card).await.unwrap(), charge);
    let row: String = sqlx::query_scalar("SELECT charges::text FROM charges")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert!(!row.contains("_secret_"), "{row}");

    harness
        .sandbox
        .authenticate(&charge.client_secret, "complete")
        .await;
    let authorized = harness.refresh(order_id).await.unwrap();
    assert_eq!(
        (authorized.state(), authorized.client_secret.as_str()),
        (ChargeState::Authorized, "")
    );
    assert_eq!(
        harness.authorize(order_id, &ada, &card).await.unwrap(),
        authorized
    );
    assert_eq!(harness.charge_events().await, ["payments.PaymentAuthorized"]);
    harness.shut_down().await;
}

#[tokio::test]
async fn failed_authentication_declines_the_charge() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::NeedsAuthentication).await;
    let order_id = new_order_id();
    let charge = harness.authorize(order_id, &ada, &card).await.unwrap();
    harness.sandbox.authenticate(&charge.client_secret, "fail").await;
    let declined = harness.refresh(order_id).await.unwrap();
    assert_eq!(
        (declined.state(), declined.decline_reason.as_str()),
        (ChargeState::Declined, "AUTHENTICATION_FAILED")
    );
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.intent().await["status"], "canceled");
    harness.shut_down().await;
}

#[tokio::test]
async fn invalid_requests_are_rejected_and_write_nothing() {
    let harness = Harness::new().await;
    let (ada, eve) = (harness.consumer(), harness.consumer());
    let card = ada.add_method(Card::Good).await;
    eve.add_method(Card::Good).await;

    let other_consumer = harness.authorize(new_order_id(), &eve, &card).await.unwrap_err();
    assert_eq!(other_consumer.reason, "PAYMENT_METHOD_UNKNOWN");
    for cents in [0, -1, i64::MIN] {
        let error = harness
            .authorize_amount(new_order_id(), &ada, &card, cents)
            .await
            .unwrap_err();
        assert_eq!(error.reason, "AMOUNT_MALFORMED", "{cents}");
    }
    let request = AuthorizeChargeRequest {
        subject: Some(ChargeSubject {
            purpose: ChargePurpose::Order.into(),
            id: "ord_".into(),
        }),
        ..AuthorizeChargeRequest::default()
    };
    let grpc = harness.grpc();
    let malformed = into_result(
        grpc.authorize_charge(request_from_service("ordering", request.clone()))
            .await,
    )
    .unwrap_err();
    assert_eq!(
        (malformed.reason.as_ref(), malformed.field.as_deref()),
        ("ID_MALFORMED", Some("subject.id"))
    );
    for request in [
        request_from_service("stores", request.clone()),
        ada.request(request),
    ] {
        assert_eq!(
            into_result(grpc.authorize_charge(request).await)
                .unwrap_err()
                .reason,
            "FORBIDDEN"
        );
    }
    assert_eq!(
        harness.refresh(new_order_id()).await.unwrap_err().reason,
        "CHARGE_UNKNOWN"
    );
    assert_eq!(harness.count_rows("charges").await, 0);
    assert!(harness.sandbox.intents().await.is_empty());
    harness.shut_down().await;
}

#[tokio::test]
async fn an_order_is_not_charged_again_with_other_terms() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &card).await.unwrap();
    let error = harness
        .authorize_amount(order_id, &ada, &card, AMOUNT + 1)
        .await
        .unwrap_err();
    assert_eq!(error.reason, "CHARGE_MISMATCH");
    harness.sandbox.intent().await;
    harness.shut_down().await;
}
