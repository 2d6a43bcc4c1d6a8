//! What a failing network and a failing provider do to a charge: nobody pays twice, nothing stays held.

use std::time::Duration;

use kit::ErrorCode;
use payments::workers::look;
use proto::ordering::v1::{OrderAccepted, OrderCancelled};
use proto::payments::v1::ChargeState;
use serde_json::{Value, json};

use crate::harness::{AMOUNT, Card, TIMEOUT, World, order};

const CREATE: &str = "/v1/payment_intents";

fn slower_than_we_wait() -> Value {
    json!({ "ms": u64::try_from(TIMEOUT.as_millis()).unwrap() + 500 })
}

#[tokio::test]
async fn an_unknown_outcome_is_said_to_be_unknown_and_the_same_call_carries_on() {
    for (kind, more) in [
        ("reset_before", json!({})),
        ("reset_after", json!({})),
        ("slow", slower_than_we_wait()),
        ("error", json!({ "status": 503 })),
        ("error", json!({ "status": 429 })),
        ("error_after", json!({ "status": 500 })),
    ] {
        let world = World::new().await;
        let ada = world.consumer();
        let card = ada.adds(Card::Good).await;
        let order = order();
        world.sandbox.fault(kind, CREATE, more).await;
        assert_eq!(
            world.authorize(order, &ada, &card).await.unwrap_err().code,
            ErrorCode::Unavailable,
            "{kind}"
        );
        assert_eq!(world.state(order).await, "pending", "{kind}");

        let charge = world.authorize(order, &ada, &card).await.unwrap();
        assert_eq!(charge.state(), ChargeState::Authorized, "{kind}");
        world.sandbox.intent().await;
        assert_eq!(world.sandbox.money_held().await, AMOUNT, "{kind}");
        world.end().await;
    }
}

#[tokio::test]
async fn an_effect_whose_answer_was_lost_is_found_again() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.sandbox.fault("reset_after", CREATE, json!({})).await;
    world.authorize(order, &ada, &card).await.unwrap_err();
    assert_eq!(
        world.refresh(order).await.unwrap().state(),
        ChargeState::Authorized
    );
    world.end().await;
}

#[tokio::test]
async fn closing_an_unknown_outcome_leaves_nothing_held_and_nothing_to_come() {
    for (kind, more) in [
        ("reset_before", json!({})),
        ("reset_after", json!({})),
        ("slow", slower_than_we_wait()),
        ("error", json!({ "status": 500 })),
        ("error", json!({ "status": 503 })),
        ("error_after", json!({ "status": 500 })),
    ] {
        let world = World::new().await;
        let ada = world.consumer();
        let card = ada.adds(Card::Good).await;
        let order = order();
        world.sandbox.fault(kind, CREATE, more).await;
        world.authorize(order, &ada, &card).await.unwrap_err();
        assert_eq!(world.close(order).await.state(), ChargeState::Closed);
        world.carry_out().await;
        // By then what was slow would have come to effect.
        tokio::time::sleep(Duration::from_millis(700)).await;
        assert_eq!(world.sandbox.money_held().await, 0, "{kind}");
        assert_eq!(world.state(order).await, "voided", "{kind}");
        let left = world.sandbox.intents().await;
        assert!(
            left.iter().all(|intent| intent["status"] == "canceled"),
            "{kind}: {left:#?}"
        );
        assert!(world.told().await.is_empty(), "{kind}");
        world.end().await;
    }
}

#[tokio::test]
async fn capture_void_and_refund_get_through_whatever_fails_on_the_way() {
    let faults = [
        ("reset_before", json!({ "times": 2 })),
        ("reset_after", json!({ "times": 1 })),
        ("error", json!({ "status": 500, "times": 2 })),
        ("error_after", json!({ "status": 500, "times": 1 })),
        ("error", json!({ "status": 429, "times": 2 })),
    ];
    for (kind, more) in faults {
        let world = World::new().await;
        let ada = world.consumer();
        let card = ada.adds(Card::Good).await;
        let (kept, dropped) = (order(), order());
        world.authorize(kept, &ada, &card).await.unwrap();
        world.authorize(dropped, &ada, &card).await.unwrap();

        world
            .sandbox
            .fault(kind, "/v1/payment_intents/*", more.clone())
            .await;
        world.order(dropped, |order| OrderCancelled { order }).await;
        world.carry_out().await;
        assert_eq!(
            (
                world.state(dropped).await.as_str(),
                world.sandbox.money_held().await
            ),
            ("voided", AMOUNT),
            "{kind}"
        );

        world
            .sandbox
            .fault(kind, "/v1/payment_intents/*", more.clone())
            .await;
        world.order(kept, |order| OrderAccepted { order }).await;
        world.carry_out().await;
        assert_eq!(world.state(kept).await, "succeeded", "{kind}");

        world.sandbox.fault(kind, "/v1/refunds", more).await;
        world.order(kept, |order| OrderCancelled { order }).await;
        world.carry_out().await;
        assert_eq!(
            (world.state(kept).await.as_str(), world.sandbox.money_held().await),
            ("refunded", 0),
            "{kind}"
        );
        world.end().await;
    }
}

#[tokio::test]
async fn a_call_that_never_succeeds_is_given_up_and_can_be_asked_for_again() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.authorize(order, &ada, &card).await.unwrap();
    world
        .sandbox
        .fault(
            "error",
            "/v1/payment_intents/*/cancel",
            json!({ "status": 503, "times": 8 }),
        )
        .await;
    world.close(order).await;
    world.carry_out().await;
    let state: String = sqlx::query_scalar("SELECT state FROM effects")
        .fetch_one(&world.cx.pool)
        .await
        .unwrap();
    assert_eq!(
        (state.as_str(), world.sandbox.money_held().await),
        ("gave_up", AMOUNT)
    );

    world.close(order).await;
    world.carry_out().await;
    assert_eq!(world.sandbox.money_held().await, 0);
    world.end().await;
}

#[tokio::test]
async fn a_lost_webhook_is_made_up_for_by_a_look() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::NeedsAuthentication).await;
    let order = order();
    let charge = world.authorize(order, &ada, &card).await.unwrap();
    world
        .sandbox
        .authenticate(&charge.client_secret, "complete")
        .await;
    assert_eq!(
        look::once(&world.cx).await.unwrap(),
        0,
        "it is too early to worry"
    );
    assert_eq!(world.state(order).await, "requires_action");

    sqlx::query("UPDATE charges SET updated_at = now() - interval '3 minutes'")
        .execute(&world.cx.pool)
        .await
        .unwrap();
    assert_eq!(look::once(&world.cx).await.unwrap(), 1);
    assert_eq!(world.state(order).await, "authorized");
    assert_eq!(look::once(&world.cx).await.unwrap(), 0);
    world.end().await;
}

/// A hold ends by itself after some days: an order for later may outlive it, and nobody would know before the store
/// accepts.
#[tokio::test]
async fn a_hold_that_ran_out_unheard_of_is_noticed_by_a_look() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.authorize(order, &ada, &card).await.unwrap();
    world.sandbox.ends_the_hold().await;
    for (hours, looks) in [(23, 0), (25, 1), (25, 0)] {
        sqlx::query(
            "UPDATE charges SET created_at = now() - make_interval(hours => $1), updated_at = created_at",
        )
        .bind(hours)
        .execute(&world.cx.pool)
        .await
        .unwrap();
        assert_eq!(look::once(&world.cx).await.unwrap(), looks, "{hours}");
    }
    assert_eq!(world.state(order).await, "voided");
    assert_eq!(
        world.told().await,
        ["payments.PaymentAuthorized", "payments.PaymentDeclined"]
    );

    // One that is still held is looked at now and then, and nothing comes of it.
    let held = crate::harness::order();
    world.authorize(held, &ada, &card).await.unwrap();
    sqlx::query(
        "UPDATE charges SET created_at = now() - interval '3 days', updated_at = now() - interval '3 days'",
    )
    .execute(&world.cx.pool)
    .await
    .unwrap();
    assert_eq!(look::once(&world.cx).await.unwrap(), 1);
    assert_eq!(look::once(&world.cx).await.unwrap(), 0);
    assert_eq!(world.state(held).await, "authorized");
    world.end().await;
}

#[tokio::test]
async fn a_provider_slower_than_the_caller_decides_without_it() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.sandbox.fault("slow", CREATE, json!({ "ms": 600 })).await;
    let asked =
        kit::grpc::deadline::within(Duration::from_millis(200), world.authorize(order, &ada, &card)).await;
    assert_eq!(asked.unwrap_err().code, ErrorCode::Unavailable);
    tokio::time::sleep(Duration::from_millis(900)).await;
    assert_eq!(world.state(order).await, "authorized");
    world.end().await;
}
