//! Closing before, while and after a charge is authorised: in the end nothing is held.

use std::time::Duration;

use proto::payments::v1::ChargeState;
use serde_json::json;

use crate::harness::{Card, World, order};

#[tokio::test]
async fn a_charge_that_comes_after_its_order_was_closed_is_refused() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    assert_eq!(world.close(order).await.state(), ChargeState::Closed);
    assert_eq!(world.close(order).await.state(), ChargeState::Closed);
    assert_eq!(
        world.authorize(order, &ada, &card).await.unwrap_err().reason,
        "CHARGE_CLOSED"
    );
    assert_eq!(world.refresh(order).await.unwrap().state(), ChargeState::Closed);
    world.carry_out().await;
    assert!(world.sandbox.intents().await.is_empty());
    assert!(world.told().await.is_empty());
    world.end().await;
}

#[tokio::test]
async fn a_held_charge_is_let_go() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.authorize(order, &ada, &card).await.unwrap();
    assert_eq!(world.close(order).await.state(), ChargeState::Closed);
    assert_eq!(
        world.authorize(order, &ada, &card).await.unwrap_err().reason,
        "CHARGE_CLOSED"
    );
    world.carry_out().await;
    assert_eq!(world.sandbox.intent().await["status"], "canceled");
    assert_eq!(world.close(order).await.state(), ChargeState::Closed);
    assert_eq!(world.state(order).await, "voided");
    world.end().await;
}

#[tokio::test]
async fn a_charge_that_waits_for_authentication_is_let_go() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::NeedsAuthentication).await;
    let order = order();
    world.authorize(order, &ada, &card).await.unwrap();
    world.close(order).await;
    world.carry_out().await;
    assert_eq!(world.sandbox.intent().await["status"], "canceled");
    world.end().await;
}

#[tokio::test]
async fn twenty_calls_to_close_and_twenty_to_authorise_leave_nothing_held() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    let authorize = futures::future::join_all((0..20).map(|_| world.authorize(order, &ada, &card)));
    let close = futures::future::join_all((0..20).map(|_| world.close(order)));
    let (authorized, closed) = futures::future::join(authorize, close).await;
    assert!(closed.iter().all(|charge| charge.state() == ChargeState::Closed));
    for answer in authorized {
        match answer {
            Ok(charge) => assert_eq!(charge.state(), ChargeState::Authorized),
            Err(refused) => assert_eq!(refused.reason, "CHARGE_CLOSED"),
        }
    }
    world.carry_out().await;
    assert_eq!(world.sandbox.money_held().await, 0);
    assert_eq!(
        world.authorize(order, &ada, &card).await.unwrap_err().reason,
        "CHARGE_CLOSED"
    );
    world.end().await;
}

/// The request to the provider takes a while; the order is closed, and the worker runs, at every moment of it.
#[tokio::test]
async fn closing_at_any_moment_of_an_authorisation_leaves_nothing_held() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    for (round, wait) in [0, 2, 5, 10, 20, 60, 120, 200, 260, 400].into_iter().enumerate() {
        let order = order();
        world
            .sandbox
            .fault("slow", "/v1/payment_intents", json!({ "ms": 200 }))
            .await;
        let close = async {
            tokio::time::sleep(Duration::from_millis(wait)).await;
            let closed = world.close(order).await;
            world.carry_out().await;
            closed
        };
        let (authorized, closed) = futures::future::join(world.authorize(order, &ada, &card), close).await;
        assert_eq!(closed.state(), ChargeState::Closed);
        if let Err(refused) = &authorized {
            assert_eq!(refused.reason, "CHARGE_CLOSED");
        }
        world.carry_out().await;
        assert_eq!(
            world.sandbox.money_held().await,
            0,
            "round {round}: {authorized:?}"
        );
        assert_eq!(world.state(order).await, "voided");
    }
    world.end().await;
}
