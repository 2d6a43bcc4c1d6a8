//! Tests of the process: over gRPC, with a broker, and killed at fault points.

use std::time::Duration;

use kit::outbox::{self, OutboxEntry};
use proto::events::Event;
use proto::ordering::v1::TenderKind;
use proto::payments::v1::{ChargeState, CloseChargeRequest, RefreshChargeRequest};
use types::OrderId;

use crate::harness::{
    AMOUNT, Card, Harness, Program, accepted, authorize_request, cancelled, new_order_id, now, order_event,
    order_subject,
};

async fn wait_for_state(harness: &Harness, order_id: OrderId, state: &str) {
    for _ in 0..400 {
        if harness.stored_state(order_id).await == state {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!(
        "expected state {state}, got {}",
        harness.stored_state(order_id).await
    );
}

#[tokio::test]
async fn an_order_accepted_event_from_the_broker_captures_the_charge() {
    let harness = Harness::new().await;
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let mut program = Program::new(&harness).await;
    program.run("migrate");
    program.run("seed");
    program.serve(None).await;

    let order_id = new_order_id();
    let charge = program
        .client("ordering")
        .authorize_charge(authorize_request(order_id, &ada, &card))
        .await
        .unwrap();
    assert_eq!(charge.into_inner().state(), ChargeState::Authorized);
    let error = program
        .client("stores")
        .close_charge(CloseChargeRequest {
            subject: order_subject(order_id),
        })
        .await;
    assert_eq!(error.unwrap_err().code(), tonic::Code::PermissionDenied);

    // The program's own relay publishes the event.
    let event = order_event(order_id, TenderKind::Card, accepted());
    let entry = OutboxEntry::new(event.event_type(), &event, order_id.to_string(), 1, now());
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    outbox::append(&mut conn, entry).await.unwrap();
    drop(conn);
    wait_for_state(&harness, order_id, "succeeded").await;
    program.clean_up().await;
    harness.shut_down().await;
}

#[tokio::test]
async fn a_process_killed_during_an_authorization_resumes_or_closes_with_nothing_held() {
    for fault_point in ["charge.inserted", "charge.authorized_at_provider"] {
        for close in [false, true] {
            let harness = Harness::new().await;
            let (ada, card) = harness.consumer_with(Card::Good).await;
            let order_id = new_order_id();
            let mut program = Program::without_broker(&harness).await;
            program.serve(Some(fault_point)).await;
            program
                .client("ordering")
                .authorize_charge(authorize_request(order_id, &ada, &card))
                .await
                .unwrap_err();
            program.wait_for_exit().await;
            assert_eq!(harness.stored_state(order_id).await, "pending", "{fault_point}");

            program.serve(None).await;
            let mut client = program.client("ordering");
            if close {
                let closed = client
                    .close_charge(CloseChargeRequest {
                        subject: order_subject(order_id),
                    })
                    .await
                    .unwrap();
                assert_eq!(closed.into_inner().state(), ChargeState::Closed);
                wait_for_state(&harness, order_id, "voided").await;
                assert_eq!(harness.sandbox.held_or_captured_cents().await, 0, "{fault_point}");
            } else {
                let refreshed = client
                    .refresh_charge(RefreshChargeRequest {
                        subject: order_subject(order_id),
                    })
                    .await
                    .unwrap();
                let expected = if fault_point == "charge.inserted" {
                    ChargeState::Pending
                } else {
                    ChargeState::Authorized
                };
                assert_eq!(refreshed.into_inner().state(), expected, "{fault_point}");
                let expected_cents = if fault_point == "charge.inserted" {
                    0
                } else {
                    AMOUNT
                };
                assert_eq!(
                    harness.sandbox.held_or_captured_cents().await,
                    expected_cents,
                    "{fault_point}"
                );
            }
            drop(program);
            harness.shut_down().await;
        }
    }
}

#[tokio::test]
async fn a_process_killed_after_an_effect_records_the_result_after_its_restart() {
    for (changes, before, after, cents) in [
        (vec![cancelled()], "authorized", "voided", 0),
        (vec![accepted()], "authorized", "succeeded", AMOUNT),
        (vec![accepted(), cancelled()], "succeeded", "refunded", 0),
    ] {
        let harness = Harness::new().await;
        let (ada, card) = harness.consumer_with(Card::Good).await;
        let order_id = new_order_id();
        harness.authorize(order_id, &ada, &card).await.unwrap();
        let (last, previous) = changes.split_last().unwrap();
        for change in previous {
            harness.consume_order_event(order_id, change.clone()).await;
            harness.execute_effects().await;
        }
        let mut program = Program::without_broker(&harness).await;
        program.serve(Some("effect.executed")).await;
        harness.consume_order_event(order_id, last.clone()).await;
        program.wait_for_exit().await;
        assert_eq!(harness.stored_state(order_id).await, before);
        assert_eq!(harness.sandbox.held_or_captured_cents().await, cents, "{after}");

        // Ends the lease of the killed process early.
        sqlx::query("UPDATE effects SET due_at = now() WHERE state = 'planned'")
            .execute(&harness.cx.pool)
            .await
            .unwrap();
        program.serve(None).await;
        wait_for_state(&harness, order_id, after).await;
        assert_eq!(harness.sandbox.held_or_captured_cents().await, cents, "{after}");
        let intent = harness.sandbox.intent().await;
        let received = if after == "voided" { 0 } else { AMOUNT };
        assert_eq!(intent["amount_received"], received, "{after}");
        drop(program);
        harness.shut_down().await;
    }
}
