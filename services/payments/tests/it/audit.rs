//! The audit of charges.

use payments::compare_with_provider::compare_with_provider;
use proto::ordering::v1::TenderKind;
use proto::payments::v1::{ChargeState, ChargeSubject};
use serde_json::json;
use sqlx::AssertSqlSafe;
use types::OrderId;

use crate::harness::{
    AMOUNT, Card, Harness, Program, accepted, completed, new_order_id, now, order_event, ready, saved,
    top_up_request,
};

/// Runs a change and returns the output of `payments audit`, then undoes the change.
async fn audit_after(harness: &Harness, program: &Program, change: &str, undo: &str) -> String {
    execute(harness, change).await;
    let output = program.output_of_failure(&["audit"]);
    execute(harness, undo).await;
    program.output(&["audit"]).unwrap();
    output
}

async fn execute(harness: &Harness, statement: &str) {
    let changed = sqlx::query(AssertSqlSafe(statement.to_owned()))
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    assert_ne!(changed.rows_affected(), 0, "{statement}");
}

/// A top-up of which a part was refunded.
async fn refunded_top_up(harness: &Harness) -> ChargeSubject {
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let request = top_up_request(&ada, &card);
    harness.charge("gift-cards", request.clone()).await.unwrap();
    let subject = request.subject.unwrap();
    harness.refund(subject.clone(), "part", 400).await.unwrap();
    harness.execute_effects().await;
    subject
}

/// Returns a completed order: its bank debit was returned later, and the debt was paid by card.
async fn recovered_debt(harness: &Harness) -> OrderId {
    let (ada, account) = harness.consumer_with(Card::Bank).await;
    let order_id = new_order_id();
    harness.authorize(order_id, &ada, &account).await.unwrap();
    let intent = harness.sandbox.intent().await["id"].as_str().unwrap().to_owned();
    for change in [accepted(), ready(), completed()] {
        harness
            .consume(&order_event(order_id, TenderKind::Bank, change))
            .await;
    }
    let path = format!("payment_intents/{intent}/return");
    harness.sandbox.admin(&path, json!({})).await;
    harness
        .receive_webhooks_until(order_id, ChargeState::Returned)
        .await;
    let card = ada.add_method(Card::Good).await;
    let debt_id = ada.failed_payments().await.payments[0].debt_id.clone();
    let recovered = ada.recover(&[debt_id], saved(&card)).await.unwrap();
    assert!(recovered.results[0].recovered);
    order_id
}

#[tokio::test]
async fn the_audit_finds_changed_rows() {
    let harness = Harness::new().await;
    let subject = refunded_top_up(&harness).await;
    let program = Program::without_broker(&harness).await;
    assert!(program.output(&["audit"]).unwrap().contains("consistent"));
    for (change, undo, expected) in [
        (
            "UPDATE charges SET amount_minor_units = amount_minor_units + 1",
            "UPDATE charges SET amount_minor_units = amount_minor_units - 1",
            "events settled: expected amount 1251",
        ),
        (
            "UPDATE charges SET refunded_minor_units = 500",
            "UPDATE charges SET refunded_minor_units = 400",
            "refunded amount: expected 400, found 500",
        ),
        (
            "UPDATE refunds SET state = 'failed'",
            "UPDATE refunds SET state = 'succeeded'",
            "amount of events refund_failed: expected 400, found 0",
        ),
        (
            "UPDATE charge_events SET amount_minor_units = 300 WHERE kind = 'refunded'",
            "UPDATE charge_events SET amount_minor_units = 400 WHERE kind = 'refunded'",
            "amount of events refunded: expected 400, found 300",
        ),
        (
            "UPDATE charges SET state = 'authorized', refunded_minor_units = 0",
            "UPDATE charges SET state = 'succeeded', refunded_minor_units = 400",
            "only an order is captured later",
        ),
        (
            "UPDATE charges SET target_state = 'released', updated_at = updated_at - interval '1 hour'",
            "UPDATE charges SET target_state = 'captured', updated_at = updated_at + interval '1 hour'",
            "effect refund is due but not planned",
        ),
    ] {
        let output = audit_after(&harness, &program, change, undo).await;
        assert!(output.contains(expected), "{change}: {output}");
        assert!(output.contains(&format!("top_up\t{}", subject.id)), "{output}");
    }
    harness.shut_down().await;
}

#[tokio::test]
async fn the_audit_compares_debts_with_returned_payments_and_their_recovery() {
    let harness = Harness::new().await;
    let order_id = recovered_debt(&harness).await;
    let program = Program::without_broker(&harness).await;
    for (change, undo, expected) in [
        (
            "UPDATE debts SET amount_minor_units = 1",
            "UPDATE debts SET amount_minor_units = 1250",
            format!("{order_id}\tdebt: expected {AMOUNT}, found 1"),
        ),
        (
            "UPDATE debts SET recovered_at = NULL",
            "UPDATE debts SET recovered_at = now()",
            "a paid debt is still owed".to_owned(),
        ),
        (
            "UPDATE debt_recoveries SET state = 'failed'",
            "UPDATE debt_recoveries SET state = 'succeeded'",
            "the state of the recovery differs".to_owned(),
        ),
        (
            "UPDATE charges SET fulfilled_at = NULL WHERE purpose = 'order'",
            "UPDATE charges SET fulfilled_at = now() WHERE purpose = 'order'",
            format!("debt: expected 0, found {AMOUNT}"),
        ),
    ] {
        let output = audit_after(&harness, &program, change, undo).await;
        assert!(output.contains(&expected), "{change}: {output}");
    }
    harness.shut_down().await;
}

#[tokio::test]
async fn the_running_audit_reads_changed_charges_until_they_are_consistent() {
    let harness = Harness::new().await;
    refunded_top_up(&harness).await;
    assert_eq!(harness.audit_new().await, 0);
    // Older than the time that is audited again.
    execute(
        &harness,
        "UPDATE charges SET updated_at = updated_at - interval '2 hours'",
    )
    .await;
    execute(&harness, "UPDATE charges SET refunded_minor_units = 500").await;
    assert_eq!(harness.audit_new().await, 0, "not changed since the last audit");
    execute(&harness, "UPDATE charges SET updated_at = now()").await;
    for _ in 0..2 {
        assert_eq!(harness.audit_new().await, 1, "reported until it is repaired");
    }
    execute(&harness, "UPDATE charges SET refunded_minor_units = 400").await;
    assert_eq!(harness.audit_new().await, 0);
    harness.shut_down().await;
}

#[tokio::test]
async fn one_process_audits_at_a_time() {
    let harness = Harness::new().await;
    let mut tx = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    sqlx::query("SELECT pg_advisory_xact_lock(hashtext('payments.audit'))")
        .execute(&mut *tx)
        .await
        .unwrap();
    let skipped = payments::audit::audit_new(&harness.cx.pool, crate::harness::now()).await;
    assert_eq!(skipped.unwrap(), None);
    tx.rollback().await.unwrap();
    assert_eq!(harness.audit_new().await, 0);
    harness.shut_down().await;
}

#[tokio::test]
async fn the_audit_and_the_comparison_with_the_provider_read_no_whole_table() {
    const TABLES: [&str; 4] = ["charges", "refunds", "disputes", "debts"];
    let mut harness = Harness::new().await;
    refunded_top_up(&harness).await;
    harness.use_one_connection().await;
    let before = harness.count_sequential_scans(&TABLES).await;
    let since = now() - jiff::SignedDuration::from_hours(1);
    let comparison = compare_with_provider(&harness.cx, since).await.unwrap();
    assert_eq!(comparison.compared, 1);
    let of_comparison = harness.count_sequential_scans(&TABLES).await - before;
    assert_eq!(harness.audit_new().await, 0);
    let of_both = harness.count_sequential_scans(&TABLES).await - before;
    assert_eq!((of_comparison, of_both), (0, 0));
    harness.shut_down().await;
}
