//! Bank debits: under way at once, settled or sent back days later.

use proto::ordering::v1::OrderCancelled;
use proto::payments::v1::ChargeState;
use serde_json::json;
use types::OrderId;

use crate::harness::{Card, World, order};

async fn debited(world: &World) -> (OrderId, String) {
    let ada = world.consumer();
    let account = ada.adds(Card::Bank).await;
    let methods = ada.methods().await;
    assert_eq!(
        (methods[0].r#type.as_str(), methods[0].is_default),
        ("bank", false)
    );
    let order = order();
    let charge = world.authorize(order, &ada, &account).await.unwrap();
    assert_eq!(charge.state(), ChargeState::Processing);
    assert_eq!(world.told().await, ["payments.PaymentAuthorized"]);
    let intent = world.sandbox.intent().await["id"].as_str().unwrap().to_owned();
    (order, intent)
}

#[tokio::test]
async fn a_debit_settles() {
    let world = World::new().await;
    let (order, intent) = debited(&world).await;
    world
        .sandbox
        .admin(&format!("payment_intents/{intent}/settle"), json!({}))
        .await;
    world.hears_of(order, ChargeState::Succeeded).await;
    assert_eq!(
        world.told().await,
        ["payments.PaymentAuthorized", "payments.PaymentSettled"]
    );
    world.end().await;
}

#[tokio::test]
async fn a_debit_comes_back_before_or_after_it_settled() {
    for settled in [false, true] {
        let world = World::new().await;
        let (order, intent) = debited(&world).await;
        if settled {
            world
                .sandbox
                .admin(&format!("payment_intents/{intent}/settle"), json!({}))
                .await;
            world.hears_of(order, ChargeState::Succeeded).await;
        }
        world
            .sandbox
            .admin(&format!("payment_intents/{intent}/return"), json!({}))
            .await;
        world.hears_of(order, ChargeState::Returned).await;
        assert_eq!(
            world.told().await.last().map(String::as_str),
            Some("payments.PaymentReturned")
        );
        world.end().await;
    }
}

#[tokio::test]
async fn the_refund_of_a_debit_waits_until_it_settles() {
    let world = World::new().await;
    let (order, intent) = debited(&world).await;
    world.order(order, |order| OrderCancelled { order }).await;
    world.carry_out().await;
    assert_eq!(world.state(order).await, "processing");
    world
        .sandbox
        .admin(&format!("payment_intents/{intent}/settle"), json!({}))
        .await;
    world.hears_of(order, ChargeState::Succeeded).await;
    world.carry_out().await;
    assert_eq!(world.state(order).await, "refunded");
    world.end().await;
}
