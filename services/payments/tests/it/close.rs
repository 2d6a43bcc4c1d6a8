//! Tests of `CloseCharge` before, during and after an authorization: nothing stays held.

use std::time::Duration;

use proto::payments::v1::ChargeState;
use serde_json::json;

use crate::harness::{Card, Harness, new_order_id};

#[tokio::test]
async fn an_authorization_after_the_charge_was_closed_is_rejected() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    assert_eq!(harness.close(order_id).await.state(), ChargeState::Closed);
    assert_eq!(harness.close(order_id).await.state(), ChargeState::Closed);
    assert_eq!(
        harness.authorize(order_id, &ada, &card).await.unwrap_err().reason,
        "CHARGE_CLOSED"
    );
    assert_eq!(
        harness.refresh(order_id).await.unwrap().state(),
        ChargeState::Closed
    );
    harness.execute_effects().await;
    assert!(harness.sandbox.intents().await.is_empty());
    assert!(harness.charge_events().await.is_empty());
    harness.shut_down().await;
}

#[tokio::test]
async fn closing_an_authorized_charge_voids_it() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &card).await.unwrap();
    assert_eq!(harness.close(order_id).await.state(), ChargeState::Closed);
    assert_eq!(
        harness.authorize(order_id, &ada, &card).await.unwrap_err().reason,
        "CHARGE_CLOSED"
    );
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.intent().await["status"], "canceled");
    assert_eq!(harness.close(order_id).await.state(), ChargeState::Closed);
    assert_eq!(harness.stored_state(order_id).await, "voided");
    harness.refresh(order_id).await.unwrap();
    // The provider lists the released authorization as a refund, but no money was taken.
    assert_eq!(harness.sandbox.refunds().await.len(), 1);
    assert_eq!(harness.charge_events().await, ["payments.PaymentAuthorized"]);
    harness.shut_down().await;
}

#[tokio::test]
async fn closing_a_charge_that_requires_action_cancels_it() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::NeedsAuthentication).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &card).await.unwrap();
    harness.close(order_id).await;
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.intent().await["status"], "canceled");
    harness.shut_down().await;
}

#[tokio::test]
async fn concurrent_close_and_authorize_calls_leave_nothing_held() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    let authorize = futures::future::join_all((0..20).map(|_| harness.authorize(order_id, &ada, &card)));
    let close = futures::future::join_all((0..20).map(|_| harness.close(order_id)));
    let (authorized, closed) = futures::future::join(authorize, close).await;
    assert!(closed.iter().all(|charge| charge.state() == ChargeState::Closed));
    for result in authorized {
        match result {
            Ok(charge) => assert_eq!(charge.state(), ChargeState::Authorized),
            Err(error) => assert_eq!(error.reason, "CHARGE_CLOSED"),
        }
    }
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 0);
    assert_eq!(
        harness.authorize(order_id, &ada, &card).await.unwrap_err().reason,
        "CHARGE_CLOSED"
    );
    harness.shut_down().await;
}

/// The provider responds slowly; the charge is closed and the effects are executed at different times in between.
#[tokio::test]
async fn closing_at_any_time_during_an_authorization_leaves_nothing_held() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    for (round, delay_ms) in [0, 2, 5, 10, 20, 60, 120, 200, 260, 400].into_iter().enumerate() {
        let order_id = new_order_id();
        harness
            .sandbox
            .inject_fault("slow", "/v1/payment_intents", json!({ "ms": 200 }))
            .await;
        let close = async {
            tokio::time::sleep(Duration::from_millis(delay_ms)).await;
            let closed = harness.close(order_id).await;
            harness.execute_effects().await;
            closed
        };
        let (authorized, closed) =
            futures::future::join(harness.authorize(order_id, &ada, &card), close).await;
        assert_eq!(closed.state(), ChargeState::Closed);
        if let Err(error) = &authorized {
            assert_eq!(error.reason, "CHARGE_CLOSED");
        }
        harness.execute_effects().await;
        assert_eq!(
            harness.sandbox.held_or_captured_cents().await,
            0,
            "round {round}: {authorized:?}"
        );
        assert_eq!(harness.stored_state(order_id).await, "voided");
    }
    harness.shut_down().await;
}
