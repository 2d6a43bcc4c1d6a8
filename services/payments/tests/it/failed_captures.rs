//! A capture that can never succeed is published, and its hold is released.

use payments::workers::alarms::{Alarms, raise_alarms};
use payments::workers::effects::execute_due_effects;
use payments::workers::reconcile_charges::reconcile_charges;
use serde_json::{Value, json};
use types::OrderId;

use crate::effects::{CAPTURE_PATH, authorized_order, effect, execute_sql, new_harness};
use crate::harness::{Harness, Program, accepted, cancelled, completed, ready};

const VOID_PATH: &str = "/v1/payment_intents/*/cancel";
/// More requests than a test sends.
const ALWAYS: u32 = 100_000;

/// Lets the provider reject the capture of the order. Nothing else is executed.
async fn fail_capture(harness: &Harness, order_id: OrderId) {
    let options = json!({ "status": 402, "code": "card_declined" });
    harness.sandbox.inject_fault("error", CAPTURE_PATH, options).await;
    harness.consume_order_event(order_id, accepted()).await;
    assert_eq!(execute_due_effects(&harness.cx).await.unwrap(), 1);
}

async fn inject_error(harness: &Harness, path: &str, options: Value) {
    harness.sandbox.inject_fault("error", path, options).await;
}

async fn target_state(harness: &Harness) -> String {
    sqlx::query_scalar("SELECT target_state FROM charges")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap()
}

/// The store collects the money of an order that is ready, and no event cancels it.
#[tokio::test]
async fn the_hold_of_an_order_whose_capture_failed_is_released() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    fail_capture(&harness, order_id).await;
    let (_, state, code, attempts) = effect(&harness, order_id, "capture").await;
    assert_eq!(
        (state.as_str(), code.as_deref(), attempts),
        ("failed", Some("card_declined"), 1)
    );
    let failed = Alarms {
        failed: 1,
        overdue: 0,
    };
    assert_eq!(raise_alarms(&harness.cx).await.unwrap(), failed);
    // Planned in the transaction of the failure.
    assert_eq!(target_state(&harness).await, "released");
    assert_eq!(effect(&harness, order_id, "void").await.1, "planned");

    harness.execute_effects().await;
    assert_eq!(harness.sandbox.intent().await["status"], "canceled");
    assert_eq!(harness.stored_state(order_id).await, "voided");
    assert_eq!(raise_alarms(&harness.cx).await.unwrap(), Alarms::default());
    for change in [ready(), completed(), accepted()] {
        harness.consume_order_event(order_id, change).await;
    }
    harness.execute_effects().await;
    assert_eq!(
        harness.charge_events().await,
        ["payments.PaymentAuthorized", "payments.CaptureFailed"]
    );
    assert_eq!(harness.audit_new().await, 0);
    harness.shut_down().await;
}

/// Ordering cancels an order that is not made yet.
#[tokio::test]
async fn an_order_that_is_canceled_after_its_capture_failed_is_released_once() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    fail_capture(&harness, order_id).await;
    harness.consume_order_event(order_id, cancelled()).await;
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 0);
    assert_eq!(effect(&harness, order_id, "void").await.3, 1);
    assert_eq!(harness.audit_new().await, 0);
    harness.shut_down().await;
}

#[tokio::test]
async fn the_release_is_repeated_after_transient_errors() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    inject_error(&harness, VOID_PATH, json!({ "status": 503, "times": 3 })).await;
    fail_capture(&harness, order_id).await;
    harness.execute_effects().await;
    assert_eq!(effect(&harness, order_id, "void").await.3, 4);
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 0);
    harness.shut_down().await;
}

/// The capture may have succeeded before it was rejected.
#[tokio::test]
async fn a_rejection_is_final_only_with_the_state_of_the_provider() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    let options = json!({ "status": 503, "method": "GET", "times": 3 });
    inject_error(&harness, "/v1/payment_intents/*", options).await;
    fail_capture(&harness, order_id).await;
    harness.execute_effects().await;
    assert_eq!(harness.stored_state(order_id).await, "succeeded");
    harness.shut_down().await;
}

/// Previous versions did not release the charge when its capture failed.
#[tokio::test]
async fn reconciliation_releases_a_charge_whose_capture_failed_before_the_upgrade() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    harness.consume_order_event(order_id, accepted()).await;
    execute_sql(
        &harness,
        "UPDATE effects SET state = 'failed', failure_code = 'card_declined', finished_at = now() WHERE kind = 'capture'",
    )
    .await;
    let events = harness.charge_events().await;
    for _ in 0..2 {
        execute_sql(
            &harness,
            "UPDATE charges SET updated_at = now() - interval '3 minutes', reconciled_at = NULL",
        )
        .await;
        reconcile_charges(&harness.cx).await.unwrap();
        harness.execute_effects().await;
        assert_eq!(harness.sandbox.intent().await["status"], "canceled");
        assert_eq!(harness.stored_state(order_id).await, "voided");
    }
    assert_eq!(effect(&harness, order_id, "void").await.3, 1);
    let (_, state, code, _) = effect(&harness, order_id, "capture").await;
    assert_eq!((state.as_str(), code.as_deref()), ("done", Some("card_declined")));
    // `CaptureFailed` was published when the capture failed.
    assert_eq!(harness.charge_events().await, events);
    harness.shut_down().await;
}

/// The store has collected the money by then.
#[tokio::test]
async fn a_payment_that_is_captured_after_the_failure_is_refunded() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    inject_error(&harness, VOID_PATH, json!({ "status": 503, "times": ALWAYS })).await;
    fail_capture(&harness, order_id).await;
    let intent = harness.sandbox.intent().await;
    harness.sandbox.capture(intent["id"].as_str().unwrap()).await;
    execute_sql(
        &harness,
        "UPDATE charges SET updated_at = now() - interval '3 minutes'",
    )
    .await;
    assert_eq!(reconcile_charges(&harness.cx).await.unwrap(), 1);
    harness.execute_effects().await;
    assert_eq!(harness.stored_state(order_id).await, "refunded");
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 0);
    assert_eq!(harness.audit_new().await, 0);
    harness.shut_down().await;
}

/// The store collects the money, so that the consumer would pay twice with a later capture.
#[tokio::test]
async fn the_command_line_does_not_plan_a_failed_capture_again() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    let program = Program::without_broker(&harness).await;
    inject_error(
        &harness,
        VOID_PATH,
        json!({ "status": 400, "code": "amount_too_large" }),
    )
    .await;
    fail_capture(&harness, order_id).await;
    harness.execute_effects().await;
    let (capture, ..) = effect(&harness, order_id, "capture").await;
    let (void, ..) = effect(&harness, order_id, "void").await;
    assert!(program.output(&["effects", "retry", &capture]).is_err());
    assert_eq!(effect(&harness, order_id, "capture").await.1, "failed");
    // A rejected release can be planned again.
    assert_eq!(
        program.output(&["effects", "retry", &void]).unwrap(),
        "1 planned\n"
    );
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.intent().await["status"], "canceled");
    assert_eq!(effect(&harness, order_id, "capture").await.1, "done");
    harness.shut_down().await;
}

#[tokio::test]
async fn the_command_line_lists_failed_captures_also_after_the_release() {
    let harness = new_harness().await;
    let program = Program::without_broker(&harness).await;
    let captured = authorized_order(&harness).await;
    harness.consume_order_event(captured, accepted()).await;
    harness.execute_effects().await;
    let mut failed = Vec::new();
    for _ in 0..2 {
        let order_id = authorized_order(&harness).await;
        fail_capture(&harness, order_id).await;
        harness.execute_effects().await;
        assert_eq!(effect(&harness, order_id, "capture").await.1, "done");
        failed.push(order_id.to_string());
    }
    let list = program.output(&["effects", "list", "--failed-captures"]).unwrap();
    let rows: Vec<&str> = list.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "{list}");
    for (row, order_id) in rows.iter().zip(failed.iter().rev()) {
        assert!(row.contains(order_id) && row.contains("card_declined"), "{row}");
    }
    let both = ["effects", "list", "--failed-captures", "--state", "done"];
    assert!(program.output(&both).is_err());
    harness.shut_down().await;
}
