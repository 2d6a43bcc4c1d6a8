//! Tests of `ReceiveProviderEvent`.

use kit::ErrorCode;
use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{ChargeState, ReceiveProviderEventRequest};
use types::ManualClock;

use testing::{into_result, request_from_service};

use crate::harness::{Card, Harness, Webhook, new_order_id, now};

#[tokio::test]
async fn a_webhook_reports_successful_authentication() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::NeedsAuthentication).await;
    let order_id = new_order_id();
    let charge = harness.authorize(order_id, &ada, &card).await.unwrap();
    harness
        .sandbox
        .authenticate(&charge.client_secret, "complete")
        .await;
    harness
        .receive_webhooks_until(order_id, ChargeState::Authorized)
        .await;
    assert_eq!(harness.charge_events().await, ["payments.PaymentAuthorized"]);
    harness.shut_down().await;
}

#[tokio::test]
async fn repeated_and_reordered_events_change_nothing() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::NeedsAuthentication).await;
    let order_id = new_order_id();
    let charge = harness.authorize(order_id, &ada, &card).await.unwrap();
    harness
        .sandbox
        .authenticate(&charge.client_secret, "complete")
        .await;
    harness
        .sandbox
        .webhook("payment_intent.amount_capturable_updated")
        .await;

    let mut events = harness.sandbox.webhooks();
    events.reverse();
    let twice: Vec<Webhook> = events.iter().chain(&events).cloned().collect();
    let results =
        futures::future::join_all(twice.iter().map(|webhook| harness.receive_webhook(webhook))).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    assert_eq!(harness.stored_state(order_id).await, "authorized");
    assert_eq!(harness.charge_events().await, ["payments.PaymentAuthorized"]);
    let recorded = harness.count_rows("provider_events").await;
    assert_eq!(recorded, i64::try_from(events.len()).unwrap());
    harness.shut_down().await;
}

#[tokio::test]
async fn forged_changed_and_stale_events_are_rejected_and_not_recorded() {
    let mut harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    harness.authorize(new_order_id(), &ada, &card).await.unwrap();
    let genuine = harness
        .sandbox
        .webhook("payment_intent.amount_capturable_updated")
        .await;
    let rejection = |webhook: Webhook| {
        let harness = &harness;
        async move {
            let error = harness.receive_webhook(&webhook).await.unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidRequest);
            error.reason
        }
    };

    let other = harness.sandbox.webhook("payment_method.attached").await;
    let changed = Webhook {
        payload: other.payload,
        ..genuine.clone()
    };
    assert_eq!(rejection(changed).await, "SIGNATURE_INVALID");
    let other_digit = if genuine.signature.ends_with('0') {
        "1"
    } else {
        "0"
    };
    let forged = format!(
        "{}{other_digit}",
        &genuine.signature[..genuine.signature.len() - 1]
    );
    assert_eq!(
        rejection(Webhook {
            signature: forged,
            ..genuine.clone()
        })
        .await,
        "SIGNATURE_INVALID"
    );
    for signature in ["", "t=1", "nonsense"] {
        let malformed = Webhook {
            signature: signature.into(),
            ..genuine.clone()
        };
        assert_eq!(rejection(malformed).await, "SIGNATURE_INVALID");
    }

    harness.cx.clock = std::sync::Arc::new(ManualClock::at(now() + jiff::SignedDuration::from_mins(6)));
    let stale = harness.receive_webhook(&genuine).await.unwrap_err();
    assert_eq!(stale.reason, "SIGNATURE_STALE");
    assert_eq!(harness.count_rows("provider_events").await, 0);

    let request = ReceiveProviderEventRequest {
        payload: genuine.payload,
        signature: genuine.signature,
    };
    let other_service = into_result(
        harness
            .grpc()
            .receive_provider_event(request_from_service("ordering", request))
            .await,
    );
    assert_eq!(other_service.unwrap_err().reason, "FORBIDDEN");
    harness.shut_down().await;
}

#[tokio::test]
async fn an_event_is_processed_on_redelivery_if_its_object_could_not_be_fetched() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::NeedsAuthentication).await;
    let order_id = new_order_id();
    let charge = harness.authorize(order_id, &ada, &card).await.unwrap();
    harness
        .sandbox
        .authenticate(&charge.client_secret, "complete")
        .await;
    let webhook = harness
        .sandbox
        .webhook("payment_intent.amount_capturable_updated")
        .await;
    let fault = serde_json::json!({ "method": "GET", "status": 503 });
    harness
        .sandbox
        .inject_fault("error", "/v1/payment_intents/*", fault)
        .await;
    assert_eq!(
        harness.receive_webhook(&webhook).await.unwrap_err().code,
        ErrorCode::Unavailable
    );
    assert_eq!(harness.stored_state(order_id).await, "requires_action");
    harness.receive_webhook(&webhook).await.unwrap();
    assert_eq!(harness.stored_state(order_id).await, "authorized");
    harness.shut_down().await;
}
