//! Webhooks: hints that are checked, taken in once, and never believed.

use kit::ErrorCode;
use proto::payments::v1::payments_server::Payments as _;
use proto::payments::v1::{ChargeState, ReceiveProviderEventRequest};
use types::ManualClock;

use crate::harness::{Card, Webhook, World, request_from_service, now, order, into_result};

#[tokio::test]
async fn authentication_that_came_through_is_heard_of() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::NeedsAuthentication).await;
    let order = order();
    let charge = world.authorize(order, &ada, &card).await.unwrap();
    world
        .sandbox
        .authenticate(&charge.client_secret, "complete")
        .await;
    world.hears_of(order, ChargeState::Authorized).await;
    assert_eq!(world.told().await, ["payments.PaymentAuthorized"]);
    world.end().await;
}

#[tokio::test]
async fn repeated_and_reordered_events_change_nothing() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::NeedsAuthentication).await;
    let order = order();
    let charge = world.authorize(order, &ada, &card).await.unwrap();
    world
        .sandbox
        .authenticate(&charge.client_secret, "complete")
        .await;
    world
        .sandbox
        .webhook("payment_intent.amount_capturable_updated")
        .await;

    let mut events = world.sandbox.webhooks();
    events.reverse();
    let twice: Vec<Webhook> = events.iter().chain(&events).cloned().collect();
    let answers = futures::future::join_all(twice.iter().map(|webhook| world.receive(webhook))).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(world.state(order).await, "authorized");
    assert_eq!(world.told().await, ["payments.PaymentAuthorized"]);
    let seen = world.count("provider_events").await;
    assert_eq!(seen, i64::try_from(events.len()).unwrap());
    world.end().await;
}

#[tokio::test]
async fn forged_changed_and_stale_events_are_refused_and_leave_no_trace() {
    let mut world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    world.authorize(order(), &ada, &card).await.unwrap();
    let genuine = world
        .sandbox
        .webhook("payment_intent.amount_capturable_updated")
        .await;
    let refused = |webhook: Webhook| {
        let world = &world;
        async move {
            let refused = world.receive(&webhook).await.unwrap_err();
            assert_eq!(refused.code, ErrorCode::InvalidRequest);
            refused.reason
        }
    };

    let other = world.sandbox.webhook("payment_method.attached").await;
    let changed = Webhook {
        payload: other.payload,
        ..genuine.clone()
    };
    assert_eq!(refused(changed).await, "SIGNATURE_INVALID");
    let digit = if genuine.signature.ends_with('0') {
        "1"
    } else {
        "0"
    };
    let forged = format!("{}{digit}", &genuine.signature[..genuine.signature.len() - 1]);
    assert_eq!(
        refused(Webhook {
            signature: forged,
            ..genuine.clone()
        })
        .await,
        "SIGNATURE_INVALID"
    );
    for signature in ["", "t=1", "nonsense"] {
        let nonsense = Webhook {
            signature: signature.into(),
            ..genuine.clone()
        };
        assert_eq!(refused(nonsense).await, "SIGNATURE_INVALID");
    }

    world.cx.clock = std::sync::Arc::new(ManualClock::at(now() + jiff::SignedDuration::from_mins(6)));
    let stale = world.receive(&genuine).await.unwrap_err();
    assert_eq!(stale.reason, "SIGNATURE_STALE");
    assert_eq!(world.count("provider_events").await, 0);

    let request = ReceiveProviderEventRequest {
        payload: genuine.payload,
        signature: genuine.signature,
    };
    let by_other = into_result(
        world
            .grpc()
            .receive_provider_event(request_from_service("ordering", request))
            .await,
    );
    assert_eq!(by_other.unwrap_err().reason, "FORBIDDEN");
    world.end().await;
}

#[tokio::test]
async fn an_event_whose_object_cannot_be_fetched_is_taken_in_when_it_comes_again() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::NeedsAuthentication).await;
    let order = order();
    let charge = world.authorize(order, &ada, &card).await.unwrap();
    world
        .sandbox
        .authenticate(&charge.client_secret, "complete")
        .await;
    let webhook = world
        .sandbox
        .webhook("payment_intent.amount_capturable_updated")
        .await;
    let fault = serde_json::json!({ "method": "GET", "status": 503 });
    world.sandbox.fault("error", "/v1/payment_intents/*", fault).await;
    assert_eq!(
        world.receive(&webhook).await.unwrap_err().code,
        ErrorCode::Unavailable
    );
    assert_eq!(world.state(order).await, "requires_action");
    world.receive(&webhook).await.unwrap();
    assert_eq!(world.state(order).await, "authorized");
    world.end().await;
}
