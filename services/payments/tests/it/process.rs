//! The program as it runs: over the wire, with a broker, and killed in the middle.

use std::time::Duration;

use proto::ordering::v1::{OrderAccepted, OrderSnapshot, TenderKind};
use proto::payments::v1::{AuthorizeChargeRequest, ChargeState, CloseChargeRequest, RefreshChargeRequest};
use proto::values::v1::Money;
use types::OrderId;

use crate::harness::{AMOUNT, Card, Consumer, Program, World, now, order};

fn authorize(order: OrderId, consumer: &Consumer<'_>, method: &str) -> AuthorizeChargeRequest {
    AuthorizeChargeRequest {
        order_id: order.to_string(),
        consumer_id: consumer.id.to_string(),
        payment_method_id: method.to_owned(),
        amount: Some(Money {
            minor_units: AMOUNT,
            currency: "usd".into(),
        }),
    }
}

async fn until(world: &World, order: OrderId, state: &str) {
    for _ in 0..400 {
        if world.state(order).await == state {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!(
        "the charge never came to be {state}; it is {}",
        world.state(order).await
    );
}

#[tokio::test]
async fn serves_and_takes_the_money_when_the_broker_brings_the_acceptance() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let mut program = Program::new(&world).await;
    program.run("migrate");
    program.run("seed");
    program.serve(None).await;

    let order = order();
    let charge = program
        .client("ordering")
        .authorize_charge(authorize(order, &ada, &card))
        .await
        .unwrap();
    assert_eq!(charge.into_inner().state(), ChargeState::Authorized);
    let refused = program
        .client("stores")
        .close_charge(CloseChargeRequest {
            order_id: order.to_string(),
        })
        .await;
    assert_eq!(refused.unwrap_err().code(), tonic::Code::PermissionDenied);

    // Any relay may publish it; this one is at hand.
    let fact = OrderSnapshot {
        order_id: order.to_string(),
        tender: TenderKind::Card.into(),
        ..OrderSnapshot::default()
    };
    let mut conn = world.cx.pool.acquire().await.unwrap();
    let accepted = OrderAccepted { order: Some(fact) };
    kit::outbox::append(&mut conn, &order.to_string(), 1, now(), &accepted)
        .await
        .unwrap();
    drop(conn);
    until(&world, order, "succeeded").await;
    assert_eq!(
        world.sandbox.attached().await,
        2,
        "Ada's card, and the demo consumer's"
    );
    program.end().await;
    world.end().await;
}

#[tokio::test]
async fn killed_between_two_steps_it_carries_on_or_closes_with_nothing_held() {
    for place in ["charge.begun", "charge.answered"] {
        for close in [false, true] {
            let world = World::new().await;
            let ada = world.consumer();
            let card = ada.adds(Card::Good).await;
            let order = order();
            let mut program = Program::without_broker(&world).await;
            program.serve(Some(place)).await;
            program
                .client("ordering")
                .authorize_charge(authorize(order, &ada, &card))
                .await
                .unwrap_err();
            program.has_died().await;
            assert_eq!(world.state(order).await, "pending", "{place}");

            program.serve(None).await;
            let mut client = program.client("ordering");
            if close {
                let closed = client
                    .close_charge(CloseChargeRequest {
                        order_id: order.to_string(),
                    })
                    .await
                    .unwrap();
                assert_eq!(closed.into_inner().state(), ChargeState::Closed);
                until(&world, order, "voided").await;
                assert_eq!(world.sandbox.money_held().await, 0, "{place}");
            } else {
                let refreshed = client
                    .refresh_charge(RefreshChargeRequest {
                        order_id: order.to_string(),
                    })
                    .await
                    .unwrap();
                let known = if place == "charge.begun" {
                    ChargeState::Pending
                } else {
                    ChargeState::Authorized
                };
                assert_eq!(refreshed.into_inner().state(), known, "{place}");
                let held = if place == "charge.begun" { 0 } else { AMOUNT };
                assert_eq!(world.sandbox.money_held().await, held, "{place}");
            }
            drop(program);
            world.end().await;
        }
    }
}

#[tokio::test]
async fn killed_after_a_void_had_its_effect_it_finishes_the_bookkeeping() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.authorize(order, &ada, &card).await.unwrap();
    let mut program = Program::without_broker(&world).await;
    program.serve(Some("effect.performed")).await;
    world.close(order).await;
    program.has_died().await;
    assert_eq!(
        (
            world.state(order).await.as_str(),
            world.sandbox.money_held().await
        ),
        ("authorized", 0)
    );

    // Its lease outlives it; here nobody waits for that.
    sqlx::query("UPDATE effects SET due_at = now()")
        .execute(&world.cx.pool)
        .await
        .unwrap();
    program.serve(None).await;
    until(&world, order, "voided").await;
    drop(program);
    world.end().await;
}
