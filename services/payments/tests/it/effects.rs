//! Captures, voids and refunds are retried until they succeed or fail permanently, and failures raise an alarm.

use std::time::Duration;

use payments::workers::alarms::{Alarms, raise_alarms};
use payments::workers::effects::{self, execute_due_effects};
use payments::workers::prune::prune;
use payments::workers::reconcile_charges::reconcile_charges;
use serde_json::json;
use types::OrderId;

use crate::harness::{AMOUNT, Card, Harness, Program, accepted, cancelled, new_order_id};

pub const CAPTURE_PATH: &str = "/v1/payment_intents/*/capture";
const REFUND_PATH: &str = "/v1/refunds";
/// More attempts than previous releases made.
const MANY: u32 = 40;

/// A harness with short delays between attempts.
pub async fn new_harness() -> Harness {
    let mut harness = Harness::new().await;
    harness.cx.effects.backoff = Duration::from_millis(1);
    harness.cx.effects.max_backoff = Duration::from_millis(2);
    harness
}

/// Authorizes the charge of a new order.
pub async fn authorized_order(harness: &Harness) -> OrderId {
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &card).await.unwrap();
    order_id
}

/// Returns the id, state, code and number of attempts of the order's effect of a kind.
pub async fn effect(
    harness: &Harness,
    order_id: OrderId,
    kind: &str,
) -> (String, String, Option<String>, i32) {
    let (charge_id, state, code, attempts): (types::ChargeId, String, Option<String>, i32) = sqlx::query_as(
        "SELECT effects.subject_id, effects.state, failure_code, effects.attempts
         FROM effects JOIN charges ON charges.id = effects.subject_id WHERE charges.subject_id = $1 AND kind = $2",
    )
    .bind(order_id.uuid())
    .bind(kind)
    .fetch_one(&harness.cx.pool)
    .await
    .unwrap();
    (format!("{charge_id}:{kind}"), state, code, attempts)
}

pub async fn execute_sql(harness: &Harness, sql: &'static str) -> u64 {
    sqlx::query(sql)
        .execute(&harness.cx.pool)
        .await
        .unwrap()
        .rows_affected()
}

#[tokio::test]
async fn transient_errors_are_retried_until_the_effect_succeeds() {
    for (path, status) in [
        (CAPTURE_PATH, 401),
        (CAPTURE_PATH, 403),
        (REFUND_PATH, 429),
        (REFUND_PATH, 503),
    ] {
        let harness = new_harness().await;
        let order_id = authorized_order(&harness).await;
        let options = json!({ "status": status, "times": MANY });
        harness.sandbox.inject_fault("error", path, options).await;
        harness.consume_order_event(order_id, accepted()).await;
        harness.execute_effects().await;
        assert_eq!(harness.stored_state(order_id).await, "succeeded", "{status}");
        let kind = if path == CAPTURE_PATH {
            "capture"
        } else {
            harness.consume_order_event(order_id, cancelled()).await;
            harness.execute_effects().await;
            assert_eq!(harness.sandbox.held_or_captured_cents().await, 0, "{status}");
            "refund"
        };
        let (_, state, _, attempts) = effect(&harness, order_id, kind).await;
        assert_eq!((state.as_str(), attempts), ("done", 41), "{status}");
        harness.shut_down().await;
    }
}

/// The provider repeats the rejection for the same idempotency key, although the account has a sufficient balance
/// again.
#[tokio::test]
async fn a_refund_waits_for_the_balance_of_the_account() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    harness.consume_order_event(order_id, accepted()).await;
    harness.execute_effects().await;
    let options = json!({ "status": 400, "code": "balance_insufficient", "times": 3 });
    harness.sandbox.inject_fault("error", REFUND_PATH, options).await;
    harness.consume_order_event(order_id, cancelled()).await;
    harness.execute_effects().await;
    assert_eq!(harness.stored_state(order_id).await, "refunded");
    harness.shut_down().await;
}

#[tokio::test]
async fn a_capture_is_retried_until_the_hold_ends() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    let ends_as_reported: bool = sqlx::query_scalar(
        "SELECT hold_ends_at BETWEEN created_at + interval '167 hours' AND created_at + interval '169 hours'
         FROM charges",
    )
    .fetch_one(&harness.cx.pool)
    .await
    .unwrap();
    assert!(ends_as_reported);
    execute_sql(
        &harness,
        "UPDATE charges SET hold_ends_at = now() + interval '300 milliseconds'",
    )
    .await;
    let options = json!({ "status": 503, "times": 100_000 });
    harness.sandbox.inject_fault("error", CAPTURE_PATH, options).await;
    // The void is planned when the hold has ended.
    let options = json!({ "status": 503, "times": 3 });
    harness
        .sandbox
        .inject_fault("error", "/v1/payment_intents/*/cancel", options)
        .await;
    harness.consume_order_event(order_id, accepted()).await;
    execute_due_effects(&harness.cx).await.unwrap();
    let (_, state, _, _) = effect(&harness, order_id, "capture").await;
    assert_eq!(state, "planned");
    harness.execute_effects().await;
    let (_, state, code, attempts) = effect(&harness, order_id, "capture").await;
    // The void marked it as done.
    assert_eq!((state.as_str(), code.as_deref()), ("done", Some("hold_ended")));
    assert!(attempts > 1);
    let (_, state, _, attempts) = effect(&harness, order_id, "void").await;
    assert_eq!((state.as_str(), attempts), ("done", 4));
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 0);
    assert_eq!(
        harness.charge_events().await,
        ["payments.PaymentAuthorized", "payments.CaptureFailed"]
    );
    harness.shut_down().await;
}

#[tokio::test]
async fn reconciliation_plans_effects_that_are_due_and_not_planned() {
    for lose in [
        "DELETE FROM effects",
        "UPDATE effects SET state = 'done'",
        "UPDATE effects SET state = 'failed'",
    ] {
        let harness = new_harness().await;
        let order_id = authorized_order(&harness).await;
        for (change, expected) in [(accepted(), "succeeded"), (cancelled(), "refunded")] {
            harness.consume_order_event(order_id, change).await;
            execute_sql(&harness, lose).await;
            assert_eq!(execute_due_effects(&harness.cx).await.unwrap(), 0);
            execute_sql(
                &harness,
                "UPDATE charges SET updated_at = now() - interval '3 minutes', reconciled_at = NULL",
            )
            .await;
            assert_eq!(reconcile_charges(&harness.cx).await.unwrap(), 1, "{lose}");
            harness.execute_effects().await;
            assert_eq!(harness.stored_state(order_id).await, expected, "{lose}");
        }
        harness.shut_down().await;
    }
}

/// Closes a charge whose void the provider rejects.
async fn fail_void(harness: &Harness, order_id: OrderId) {
    let options = json!({ "status": 400, "code": "amount_too_large" });
    let path = "/v1/payment_intents/*/cancel";
    harness.sandbox.inject_fault("error", path, options).await;
    harness.close(order_id).await;
    harness.execute_effects().await;
    assert_eq!(effect(harness, order_id, "void").await.1, "failed");
}

#[tokio::test]
async fn reconciliation_leaves_effects_that_can_never_succeed() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    fail_void(&harness, order_id).await;
    execute_sql(
        &harness,
        "UPDATE charges SET updated_at = now() - interval '3 minutes'",
    )
    .await;
    assert_eq!(reconcile_charges(&harness.cx).await.unwrap(), 1);
    assert_eq!(effect(&harness, order_id, "void").await.1, "failed");
    harness.shut_down().await;
}

#[tokio::test]
async fn closing_a_charge_plans_its_failed_void_again() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    fail_void(&harness, order_id).await;
    assert_eq!(harness.sandbox.held_or_captured_cents().await, AMOUNT);

    harness.close(order_id).await;
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 0);
    harness.shut_down().await;
}

#[tokio::test]
async fn the_command_line_lists_effects_and_plans_failed_ones_again() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    let program = Program::without_broker(&harness).await;
    fail_void(&harness, order_id).await;
    let (id, ..) = effect(&harness, order_id, "void").await;

    for arguments in [
        &["effects", "list"][..],
        &["effects", "list", "--state", "failed"],
    ] {
        let list = program.output(arguments).unwrap();
        let row = list.lines().find(|line| line.starts_with(&id)).unwrap();
        for part in ["failed", &order_id.to_string(), "amount_too_large"] {
            assert!(row.contains(part), "{part}: {row}");
        }
    }
    let planned = program
        .output(&["effects", "list", "--state", "planned"])
        .unwrap();
    assert!(!planned.contains(&id), "{planned}");

    for invalid in [
        &["effects", "retry"][..],
        &["effects", "retry", "void"],
        &["effects", "retry", &id.replace("void", "refund")],
        &["effects", "list", "--state", "lost"],
    ] {
        assert!(program.output(invalid).is_err(), "{invalid:?}");
    }
    assert_eq!(program.output(&["effects", "retry", &id]).unwrap(), "1 planned\n");
    assert!(
        program.output(&["effects", "retry", &id]).is_err(),
        "it is planned"
    );
    harness.execute_effects().await;
    assert_eq!(harness.stored_state(order_id).await, "voided");
    assert_eq!(
        program.output(&["effects", "retry", "--all"]).unwrap(),
        "0 planned\n"
    );
    harness.shut_down().await;
}

#[tokio::test]
async fn overdue_effects_raise_an_alarm() {
    let harness = new_harness().await;
    let order_id = authorized_order(&harness).await;
    harness.consume_order_event(order_id, accepted()).await;
    assert_eq!(raise_alarms(&harness.cx).await.unwrap(), Alarms::default());
    execute_sql(
        &harness,
        "UPDATE effects SET created_at = now() - interval '11 minutes'",
    )
    .await;
    assert_eq!(
        raise_alarms(&harness.cx).await.unwrap(),
        Alarms {
            failed: 0,
            overdue: 1
        }
    );
    harness.shut_down().await;
}

#[tokio::test]
async fn old_provider_events_and_finished_effects_are_pruned_in_batches() {
    let mut harness = new_harness().await;
    harness.cx.retention.batch_size = 2;
    execute_sql(
        &harness,
        "INSERT INTO provider_events (id, type, received_at)
         SELECT 'evt_' || days, 'charge.updated', now() - make_interval(days => days) FROM generate_series(28, 35) AS days",
    )
    .await;
    execute_sql(
        &harness,
        "INSERT INTO effects (subject_id, kind, state, due_at, created_at, finished_at)
         SELECT gen_random_uuid(), 'void', state, now(), now() - interval '100 days', finished_at
         FROM unnest(ARRAY['done', 'failed', 'planned']) AS state,
              unnest(ARRAY[now() - interval '95 days', NULL, now() - interval '85 days']) AS finished_at",
    )
    .await;
    // Events of 30 to 35 days; done effects that finished 95 days ago, or before the time was recorded.
    assert_eq!(prune(&harness.cx).await.unwrap(), 6 + 2);
    assert_eq!(
        (
            harness.count_rows("provider_events").await,
            harness.count_rows("effects").await
        ),
        (2, 7)
    );
    assert_eq!(prune(&harness.cx).await.unwrap(), 0);
    harness.shut_down().await;
}

/// Waits until a number of charges have succeeded.
async fn wait_for_succeeded(harness: &Harness, expected: usize) {
    for _ in 0..400 {
        let succeeded = harness.count_rows("charges WHERE state = 'succeeded'").await;
        if usize::try_from(succeeded) == Ok(expected) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("not {expected} charges succeeded");
}

#[tokio::test]
async fn a_slow_call_delays_no_other_effect() {
    const OTHERS: usize = 12;
    let mut harness = Harness::with_provider_timeout(Duration::from_secs(8)).await;
    harness.cx.effects.poll_interval = Duration::from_millis(50);
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let slow = new_order_id();
    harness.authorize(slow, &ada, &card).await.unwrap();
    let intent = harness.sandbox.intent().await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/payment_intents/{intent}/capture");
    harness
        .sandbox
        .inject_fault("slow", &path, json!({ "ms": 6_000 }))
        .await;
    let mut orders = Vec::new();
    for _ in 0..OTHERS {
        let order_id = new_order_id();
        harness.authorize(order_id, &ada, &card).await.unwrap();
        orders.push(order_id);
    }

    let worker = tokio::spawn(effects::run(harness.cx.clone()));
    harness.consume_order_event(slow, accepted()).await;
    while effect(&harness, slow, "capture").await.3 == 0 {
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    for order_id in orders {
        harness.consume_order_event(order_id, accepted()).await;
    }
    wait_for_succeeded(&harness, OTHERS).await;
    assert_eq!(harness.stored_state(slow).await, "authorized");
    // A shutdown waits for the slow call.
    harness.cx.process.shutdown.cancel();
    worker.await.unwrap();
    assert_eq!(harness.stored_state(slow).await, "succeeded");
    harness.shut_down().await;
}
