//! Recovery of debts despite faults of the network, the provider and this service: no debt is paid twice, and none is blocked.

use std::time::{Duration, Instant};

use kit::grpc::deadline;
use payments::workers::reconcile_charges::reconcile_charges;
use proto::payments::v1::RecoverFailedPaymentsRequest;
use serde_json::json;

use crate::harness::{Card, Harness, OWED, Program, owe, reasons, saved, set_age};

const CREATE_PATH: &str = "/v1/payment_intents";

async fn count_in_flight(harness: &Harness) -> i64 {
    harness
        .count_rows("debt_recoveries WHERE state = 'in_flight'")
        .await
}

/// Returns the card that paid: the payment method of the only charge that succeeded.
async fn paid_with(harness: &Harness) -> String {
    let id: uuid::Uuid = sqlx::query_scalar(
        "SELECT payment_method_id FROM charges WHERE purpose = 'debt' AND state = 'succeeded'",
    )
    .fetch_one(&harness.cx.pool)
    .await
    .unwrap();
    types::PaymentMethodId::from(id).to_string()
}

#[tokio::test]
async fn an_unknown_outcome_stays_in_flight_until_the_provider_shows_it() {
    for kind in ["reset_before", "reset_after", "error_after"] {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        let debts = owe(&harness, &ada, 1).await;
        let (visa, other) = (ada.add_method(Card::Good).await, ada.add_method(Card::Good).await);
        harness
            .sandbox
            .inject_fault(kind, CREATE_PATH, json!({ "status": 500 }))
            .await;
        let unknown = ada.recover(&debts, saved(&visa)).await.unwrap();
        assert_eq!(reasons(&unknown), ["PAYMENT_PENDING"], "{kind}");
        assert_eq!(count_in_flight(&harness).await, 1, "{kind}");
        // Another card joins the attempt, and is not charged.
        assert_eq!(
            reasons(&ada.recover(&debts, saved(&other)).await.unwrap()),
            [""],
            "{kind}"
        );
        assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED, "{kind}");
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn reconciliation_completes_attempts_that_nothing_waits_for() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 2).await;
    let (visa, slow) = (
        ada.add_method(Card::Good).await,
        ada.add_method(Card::NeedsAuthentication).await,
    );
    harness
        .sandbox
        .inject_fault("reset_before", CREATE_PATH, json!({}))
        .await;
    ada.recover(&debts[..1], saved(&visa)).await.unwrap();
    ada.recover(&debts[1..], saved(&slow)).await.unwrap();
    assert_eq!(count_in_flight(&harness).await, 2);
    set_age(&harness, 3).await;
    reconcile_charges(&harness.cx).await.unwrap();
    assert_eq!(count_in_flight(&harness).await, 1);
    assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED);
    set_age(&harness, 20).await;
    reconcile_charges(&harness.cx).await.unwrap();
    harness.execute_effects().await;
    assert_eq!(count_in_flight(&harness).await, 0);
    let left = ada.failed_payments().await;
    assert_eq!(left.payments.len(), 1);
    assert_eq!(left.payments[0].debt_id, debts[1]);
    assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_process_killed_during_a_recovery_charges_once() {
    for fault_point in ["recovery.started", "charge.authorized_at_provider"] {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        let debts = owe(&harness, &ada, 1).await;
        let card = ada.add_method(Card::Good).await;
        let mut program = Program::without_broker(&harness).await;
        program.serve(Some(fault_point)).await;
        let request = RecoverFailedPaymentsRequest {
            debt_ids: debts.clone(),
            source: saved(&card),
        };
        let mut client = program.client_of_consumer(ada.id);
        client.recover_failed_payments(request).await.unwrap_err();
        program.wait_for_exit().await;
        assert_eq!(count_in_flight(&harness).await, 1, "{fault_point}");
        // The lease of the killed process expires.
        sqlx::query("UPDATE charges SET attempt_lease_until = NULL")
            .execute(&harness.cx.pool)
            .await
            .unwrap();
        assert_eq!(
            reasons(&ada.recover(&debts, saved(&card)).await.unwrap()),
            [""],
            "{fault_point}"
        );
        assert_eq!(
            harness.sandbox.held_or_captured_cents().await,
            OWED,
            "{fault_point}"
        );
        harness.shut_down().await;
    }
}

/// The provider repeats a server error for the key of the attempt for a day, so that this attempt can never succeed.
#[tokio::test]
async fn an_attempt_with_a_server_error_is_replaced_by_the_next_call() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 1).await;
    let (visa, other) = (ada.add_method(Card::Good).await, ada.add_method(Card::Good).await);
    harness
        .sandbox
        .inject_fault("error", CREATE_PATH, json!({ "status": 500 }))
        .await;
    let unknown = ada.recover(&debts, saved(&visa)).await.unwrap();
    assert_eq!(reasons(&unknown), ["PAYMENT_PENDING"]);
    assert_eq!(count_in_flight(&harness).await, 1);
    let paid = ada.recover(&debts, saved(&other)).await.unwrap();
    assert_eq!(reasons(&paid), [""]);
    assert_eq!(paid_with(&harness).await, other);
    assert_eq!(reasons(&ada.recover(&debts, saved(&visa)).await.unwrap()), [""]);
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED);
    harness.shut_down().await;
}

#[tokio::test]
async fn concurrent_calls_after_a_server_error_pay_once() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 2).await;
    let cards = [ada.add_method(Card::Good).await, ada.add_method(Card::Good).await];
    harness
        .sandbox
        .inject_fault("error", CREATE_PATH, json!({ "status": 500, "times": 3 }))
        .await;
    let calls = (0..8).map(|number| ada.recover(&debts, saved(&cards[number % 2])));
    for response in futures::future::join_all(calls).await {
        let response = response.unwrap();
        let is_expected = |reason: &&str| ["", "PAYMENT_PENDING"].contains(reason);
        assert!(reasons(&response).iter().all(is_expected), "{response:?}");
    }
    assert_eq!(
        reasons(&ada.recover(&debts, saved(&cards[0])).await.unwrap()),
        ["", ""]
    );
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 2 * OWED);
    harness.shut_down().await;
}

/// The payment succeeded, its response is lost, and the provider cannot list it at first.
#[tokio::test]
async fn an_attempt_that_has_paid_is_found_before_it_is_replaced() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 1).await;
    let (visa, other) = (ada.add_method(Card::Good).await, ada.add_method(Card::Good).await);
    harness
        .sandbox
        .inject_fault("reset_after", CREATE_PATH, json!({}))
        .await;
    ada.recover(&debts, saved(&visa)).await.unwrap();
    let fault = json!({ "method": "GET", "status": 500 });
    harness.sandbox.inject_fault("error", CREATE_PATH, fault).await;
    assert_eq!(reasons(&ada.recover(&debts, saved(&other)).await.unwrap()), [""]);
    assert_eq!(paid_with(&harness).await, visa);
    assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_process_killed_while_it_replaces_an_attempt_charges_once() {
    for fault_point in ["recovery.closed", "effect.executed", "recovery.started"] {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        let debts = owe(&harness, &ada, 1).await;
        let (visa, other) = (ada.add_method(Card::Good).await, ada.add_method(Card::Good).await);
        harness
            .sandbox
            .inject_fault("error", CREATE_PATH, json!({ "status": 500 }))
            .await;
        ada.recover(&debts, saved(&visa)).await.unwrap();
        let mut program = Program::without_broker(&harness).await;
        program.serve(Some(fault_point)).await;
        let request = RecoverFailedPaymentsRequest {
            debt_ids: debts.clone(),
            source: saved(&other),
        };
        let mut client = program.client_of_consumer(ada.id);
        client.recover_failed_payments(request).await.unwrap_err();
        program.wait_for_exit().await;
        assert_eq!(count_in_flight(&harness).await, 1, "{fault_point}");
        // The leases of the killed process expire.
        for leases in [
            "UPDATE charges SET attempt_lease_until = NULL",
            "UPDATE effects SET due_at = now()",
        ] {
            sqlx::query(leases).execute(&harness.cx.pool).await.unwrap();
        }
        assert_eq!(
            reasons(&ada.recover(&debts, saved(&other)).await.unwrap()),
            [""],
            "{fault_point}"
        );
        assert_eq!(paid_with(&harness).await, other, "{fault_point}");
        harness.execute_effects().await;
        assert_eq!(
            harness.sandbox.held_or_captured_cents().await,
            OWED,
            "{fault_point}"
        );
        harness.shut_down().await;
    }
}

/// Otherwise the card would be charged a day later, when the provider no longer repeats the error.
#[tokio::test]
async fn reconciliation_closes_attempts_without_an_outcome_after_15_minutes() {
    for (kind, is_paid) in [("error", false), ("reset_before", false), ("reset_after", true)] {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        let debts = owe(&harness, &ada, 1).await;
        let visa = ada.add_method(Card::Good).await;
        harness.sandbox.inject_fault(kind, CREATE_PATH, json!({})).await;
        ada.recover(&debts, saved(&visa)).await.unwrap();
        set_age(&harness, 20).await;
        reconcile_charges(&harness.cx).await.unwrap();
        harness.execute_effects().await;
        assert_eq!(count_in_flight(&harness).await, 0, "{kind}");
        let owed = usize::from(!is_paid);
        assert_eq!(ada.failed_payments().await.payments.len(), owed, "{kind}");
        let paid = if is_paid { OWED } else { 0 };
        assert_eq!(harness.sandbox.held_or_captured_cents().await, paid, "{kind}");

        let other = ada.add_method(Card::Good).await;
        assert_eq!(reasons(&ada.recover(&debts, saved(&other)).await.unwrap()), [""]);
        assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED, "{kind}");
        harness.shut_down().await;
    }
}

/// Attempts that reached no card test no card.
#[tokio::test]
async fn attempts_with_server_errors_do_not_count_as_failed() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 1).await;
    let card = ada.add_method(Card::Good).await;
    harness
        .sandbox
        .inject_fault("error", CREATE_PATH, json!({ "times": 1_000 }))
        .await;
    for _ in 0..12 {
        let unknown = ada.recover(&debts, saved(&card)).await.unwrap();
        assert_eq!(reasons(&unknown), ["PAYMENT_PENDING"]);
    }
    harness.sandbox.clear_faults().await;
    assert_eq!(reasons(&ada.recover(&debts, saved(&card)).await.unwrap()), [""]);
    assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED);
    harness.shut_down().await;
}

/// Closing an attempt takes several calls. They continue after the response.
#[tokio::test]
async fn a_call_that_replaces_an_attempt_responds_before_its_deadline() {
    let harness = Harness::with_provider_timeout(Duration::from_secs(8)).await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 1).await;
    let card = ada.add_method(Card::Good).await;
    harness
        .sandbox
        .inject_fault("error", CREATE_PATH, json!({}))
        .await;
    ada.recover(&debts, saved(&card)).await.unwrap();
    let fault = json!({ "ms": 900, "times": 3 });
    harness.sandbox.inject_fault("slow", CREATE_PATH, fault).await;
    let timeout = Duration::from_millis(2_500);
    let started = Instant::now();
    let response = deadline::within(timeout, ada.recover(&debts, saved(&card))).await;
    assert_eq!(reasons(&response.unwrap()), ["PAYMENT_PENDING"]);
    assert!(started.elapsed() < timeout, "{:?}", started.elapsed());
    while count_in_flight(&harness).await > 0 {
        assert!(started.elapsed() < Duration::from_secs(20), "not closed");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    assert_eq!(reasons(&ada.recover(&debts, saved(&card)).await.unwrap()), [""]);
    assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED);
    harness.shut_down().await;
}
