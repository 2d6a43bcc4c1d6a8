//! What becomes of the money as its order goes on, in whatever order the facts come.

use proto::events::Event;
use proto::ordering::v1::{
    OrderAbandoned, OrderAccepted, OrderCancelled, OrderSnapshot, OrderRejected, TenderKind,
};
use proto::payments::v1::ChargeState;

use crate::harness::{AMOUNT, Card, World, order};

#[tokio::test]
async fn acceptance_takes_the_money_once() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.authorize(order, &ada, &card).await.unwrap();
    world.order(order, |order| OrderAccepted { order }).await;
    world.order(order, |order| OrderAccepted { order }).await;
    world.carry_out().await;
    let intent = world.sandbox.intent().await;
    assert_eq!(
        (intent["status"].as_str(), intent["amount_received"].as_i64()),
        (Some("succeeded"), Some(AMOUNT))
    );
    assert_eq!(
        world.refresh(order).await.unwrap().state(),
        ChargeState::Succeeded
    );
    assert_eq!(
        world.told().await,
        ["payments.PaymentAuthorized", "payments.PaymentSettled"]
    );
    world.end().await;
}

async fn let_go<E: Event>(fact: fn(Option<OrderSnapshot>) -> E) {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.authorize(order, &ada, &card).await.unwrap();
    world.order(order, fact).await;
    world.carry_out().await;
    assert_eq!(world.sandbox.intent().await["status"], "canceled", "{}", E::KIND);
    assert_eq!(world.told().await, ["payments.PaymentAuthorized"]);
    world.end().await;
}

#[tokio::test]
async fn an_order_that_ends_before_acceptance_lets_the_hold_go() {
    let_go(|order| OrderAbandoned { order }).await;
    let_go(|order| OrderCancelled { order }).await;
    let_go(|order| OrderRejected { order }).await;
}

#[tokio::test]
async fn an_order_that_ends_after_acceptance_is_refunded() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.authorize(order, &ada, &card).await.unwrap();
    world.order(order, |order| OrderAccepted { order }).await;
    world.carry_out().await;
    world.order(order, |order| OrderRejected { order }).await;
    world.carry_out().await;
    assert_eq!(world.sandbox.money_held().await, 0);
    assert_eq!(world.refresh(order).await.unwrap().state(), ChargeState::Refunded);
    let told = [
        "payments.PaymentAuthorized",
        "payments.PaymentSettled",
        "payments.RefundDone",
    ];
    assert_eq!(world.told().await, into_result);
    world.end().await;
}

#[tokio::test]
async fn facts_in_any_order_come_to_the_same() {
    for cancelled_first in [true, false] {
        let world = World::new().await;
        let ada = world.consumer();
        let card = ada.adds(Card::Good).await;
        let order = order();
        world.authorize(order, &ada, &card).await.unwrap();
        if cancelled_first {
            world.order(order, |order| OrderCancelled { order }).await;
            world.order(order, |order| OrderAccepted { order }).await;
        } else {
            world.order(order, |order| OrderAccepted { order }).await;
            world.order(order, |order| OrderCancelled { order }).await;
        }
        world.carry_out().await;
        assert_eq!(world.sandbox.intent().await["status"], "canceled");
        assert_eq!(world.told().await, ["payments.PaymentAuthorized"]);
        world.end().await;
    }
}

#[tokio::test]
async fn facts_about_orders_without_a_charge_are_harmless() {
    let world = World::new().await;
    let (accepted, ended, stored_value) = (order(), order(), order());
    world.order(accepted, |order| OrderAccepted { order }).await;
    world.order(ended, |order| OrderAbandoned { order }).await;
    let about = OrderSnapshot {
        order_id: stored_value.to_string(),
        tender: TenderKind::Joepass.into(),
        ..OrderSnapshot::default()
    };
    world.consume(&OrderAbandoned { order: Some(about) }).await;
    world.carry_out().await;

    // Only the card order that ended left a tombstone.
    assert_eq!(world.count("charges").await, 1);
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    assert_eq!(
        world.authorize(ended, &ada, &card).await.unwrap_err().reason,
        "CHARGE_CLOSED"
    );
    world.end().await;
}

#[tokio::test]
async fn a_hold_that_the_bank_ended_before_acceptance_is_told() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.authorize(order, &ada, &card).await.unwrap();
    world.sandbox.ends_the_hold().await;
    world.order(order, |order| OrderAccepted { order }).await;
    world.carry_out().await;
    assert_eq!(world.state(order).await, "voided");
    assert_eq!(
        world.told().await,
        ["payments.PaymentAuthorized", "payments.PaymentDeclined"]
    );
    world.end().await;
}

/// The first news may have come to nothing: a store that accepts all the same must not make the order unpaid.
#[tokio::test]
async fn a_hold_that_is_known_to_have_ended_is_told_again_once_at_acceptance() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.authorize(order, &ada, &card).await.unwrap();
    world.sandbox.ends_the_hold().await;
    assert_eq!(world.refresh(order).await.unwrap().state(), ChargeState::Closed);
    let told = ["payments.PaymentAuthorized", "payments.PaymentDeclined"];
    assert_eq!(world.told().await, into_result);
    for _ in 0..2 {
        world.order(order, |order| OrderAccepted { order }).await;
        world.carry_out().await;
        assert_eq!(world.told().await, [into_result[0], into_result[1], into_result[1]]);
    }
    // That it is let go as well is no news.
    world.order(order, |order| OrderCancelled { order }).await;
    assert_eq!(world.told().await.len(), 3);
    world.end().await;
}
