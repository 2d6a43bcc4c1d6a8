//! Recovery of debts: each debt is paid once, whatever happens.

use std::time::{Duration, Instant};

use kit::{ErrorCode, grpc::deadline};
use proto::payments::v1::{RecoverFailedPaymentsResponse, WalletKind};
use serde_json::json;

use crate::harness::{Card, Harness, OWED, new_order_id, owe, reasons, saved, wallet};

fn total_owed(response: &RecoverFailedPaymentsResponse) -> i64 {
    response.total_owed.as_ref().unwrap().minor_units
}

#[tokio::test]
async fn a_card_pays_each_debt_once_and_unblocks_the_consumer() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 2).await;
    let owed_orders: Vec<_> = ada
        .failed_payments()
        .await
        .payments
        .into_iter()
        .map(|debt| debt.order_id)
        .collect();
    let card = ada.add_method(Card::Good).await;
    let first = ada.recover(&debts[..1], saved(&card)).await.unwrap();
    assert_eq!((reasons(&first), total_owed(&first)), (vec![""], OWED));
    let twice: Vec<String> = debts.iter().chain(&debts).cloned().collect();
    for _ in 0..2 {
        let all = ada.recover(&twice, saved(&card)).await.unwrap();
        assert_eq!((reasons(&all), total_owed(&all)), (vec!["", ""], 0));
    }
    let mut recovered_orders = ada.failed_payments().await.recovered_order_ids;
    recovered_orders.reverse();
    assert_eq!(recovered_orders, owed_orders);
    assert_eq!(
        harness.consumer().failed_payments().await.recovered_order_ids,
        [""; 0]
    );
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 2 * OWED);
    let events = harness.charge_events().await;
    assert_eq!(
        events
            .iter()
            .filter(|event| *event == "payments.DebtRecovered")
            .count(),
        2
    );
    harness.authorize(new_order_id(), &ada, &card).await.unwrap();
    harness.shut_down().await;
}

#[tokio::test]
async fn concurrent_calls_from_two_tabs_pay_a_debt_once() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 2).await;
    let (visa, other) = (
        ada.add_method(Card::Good).await,
        ada.add_method(Card::NeedsAuthentication).await,
    );
    let calls = (0..12).map(|number| {
        let (ada, debts, visa) = (&ada, debts.clone(), visa.clone());
        async move {
            // Tabs name the debts in any order.
            let debts = if number % 2 == 0 {
                debts
            } else {
                debts.into_iter().rev().collect()
            };
            ada.recover(&debts, saved(&visa)).await
        }
    });
    for response in futures::future::join_all(calls).await {
        assert_eq!(reasons(&response.unwrap()), ["", ""]);
    }
    let late = ada.recover(&debts, saved(&other)).await.unwrap();
    assert_eq!(reasons(&late), ["", ""]);
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 2 * OWED);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_payment_and_a_removal_lock_the_consumer_before_the_debt() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 1).await;
    let card = ada.add_method(Card::Good).await;
    let mut removal = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    sqlx::query("UPDATE provider_customers SET removed_at = now() WHERE consumer_id = $1")
        .bind(ada.id.uuid())
        .execute(&mut *removal)
        .await
        .unwrap();
    let lock_debt = async {
        harness.database.wait_for_blocked(1).await;
        // A payment that had locked the debt would be waiting for the consumer now: a deadlock.
        sqlx::query("SELECT FROM debts FOR UPDATE NOWAIT")
            .execute(&mut *removal)
            .await
            .unwrap();
        removal.rollback().await.unwrap();
    };
    let (paid, ()) = tokio::join!(ada.recover(&debts, saved(&card)), lock_debt);
    assert_eq!(reasons(&paid.unwrap()), [""]);
    assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_declined_card_keeps_the_debt_and_another_card_pays_it() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 1).await;
    let bad = ada.add_method(Card::DeclinesWhenCharged).await;
    let declined = ada.recover(&debts, saved(&bad)).await.unwrap();
    assert_eq!(reasons(&declined), ["CARD_DECLINED"]);
    assert!(!declined.results[0].message.is_empty());
    assert_eq!(total_owed(&declined), OWED);
    let good = ada.add_method(Card::Good).await;
    assert_eq!(reasons(&ada.recover(&debts, saved(&good)).await.unwrap()), [""]);
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_decline_stops_the_attempts_of_a_call() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 8).await;
    let bad = ada.add_method(Card::DeclinesWhenCharged).await;
    let rejected = ada.recover(&debts, saved(&bad)).await.unwrap();
    // Four attempts start at the same time.
    let expected = [["CARD_DECLINED"; 4], ["NOT_ATTEMPTED"; 4]].concat();
    assert_eq!(reasons(&rejected), expected);
    let good = ada.add_method(Card::Good).await;
    let paid = ada.recover(&debts, saved(&good)).await.unwrap();
    assert_eq!((reasons(&paid), total_owed(&paid)), (vec![""; 8], 0));
    harness.shut_down().await;
}

#[tokio::test]
async fn an_authentication_is_completed_by_repeating_the_call() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 1).await;
    let card = ada.add_method(Card::NeedsAuthentication).await;
    let waiting = ada.recover(&debts, saved(&card)).await.unwrap();
    assert_eq!(reasons(&waiting), ["REQUIRES_ACTION"]);
    let again = ada.recover(&debts, saved(&card)).await.unwrap();
    assert_eq!(again.client_secret, waiting.client_secret);
    harness
        .sandbox
        .authenticate(&waiting.client_secret, "complete")
        .await;
    let paid = ada.recover(&debts, saved(&card)).await.unwrap();
    assert_eq!((reasons(&paid), paid.client_secret.as_str()), (vec![""], ""));
    assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED);
    harness.shut_down().await;
}

#[tokio::test]
async fn another_card_replaces_an_authentication_that_was_not_completed() {
    for complete_late in [false, true] {
        let harness = Harness::new().await;
        let ada = harness.consumer();
        let debts = owe(&harness, &ada, 1).await;
        let slow = ada.add_method(Card::NeedsAuthentication).await;
        let good = ada.add_method(Card::Good).await;
        let waiting = ada.recover(&debts, saved(&slow)).await.unwrap();
        if complete_late {
            // In another tab, just before this one pays with another card.
            harness
                .sandbox
                .authenticate(&waiting.client_secret, "complete")
                .await;
        }
        assert_eq!(reasons(&ada.recover(&debts, saved(&good)).await.unwrap()), [""]);
        harness.execute_effects().await;
        assert_eq!(
            harness.sandbox.held_or_captured_cents().await,
            OWED,
            "{complete_late}"
        );
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn a_wallet_pays_one_debt_and_banks_and_foreign_debts_are_rejected() {
    let harness = Harness::new().await;
    let (ada, eve) = (harness.consumer(), harness.consumer());
    let debts = owe(&harness, &ada, 2).await;
    let bank = ada.list_methods().await[0].payment_method_id.clone();
    let error = ada.recover(&debts, saved(&bank)).await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::RuleViolation, "CARD_REQUIRED")
    );
    let card_of_eve = eve.add_method(Card::Good).await;
    let error = ada.recover(&debts, saved(&card_of_eve)).await.unwrap_err();
    assert_eq!(error.reason, "PAYMENT_METHOD_UNKNOWN");
    let foreign = eve.recover(&debts[..1], saved(&card_of_eve)).await.unwrap();
    assert_eq!(reasons(&foreign), ["DEBT_UNKNOWN"]);
    let error = ada.recover(&[], saved(&card_of_eve)).await.unwrap_err();
    assert_eq!(
        (&*error.reason, error.field.as_deref()),
        ("MALFORMED", Some("paymentIntentIds"))
    );

    let method = harness.sandbox.create_wallet_method(Some("apple_pay")).await;
    let paid = ada
        .recover(&debts, wallet(WalletKind::ApplePay, &method))
        .await
        .unwrap();
    assert_eq!(reasons(&paid), ["", "WALLET_PAYS_ONE"]);
    assert_eq!(harness.sandbox.held_or_captured_cents().await, OWED);
    harness.shut_down().await;
}

#[tokio::test]
async fn failed_attempts_are_limited() {
    let harness = Harness::new().await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, 1).await;
    let bad = ada.add_method(Card::DeclinesWhenCharged).await;
    for _ in 0..10 {
        ada.recover(&debts, saved(&bad)).await.unwrap();
    }
    let error = ada.recover(&debts, saved(&bad)).await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::RateLimited, "TOO_MANY_ATTEMPTS")
    );
    harness.shut_down().await;
}

#[tokio::test]
async fn many_debts_are_paid_within_the_deadline_or_stay_open_until_the_next_call() {
    const DEBTS: usize = 16;
    let harness = Harness::with_provider_timeout(Duration::from_secs(8)).await;
    let ada = harness.consumer();
    let debts = owe(&harness, &ada, DEBTS).await;
    let card = ada.add_method(Card::Good).await;
    harness
        .sandbox
        .inject_fault(
            "slow",
            "/v1/payment_intents",
            json!({ "ms": 1_200, "times": DEBTS }),
        )
        .await;
    let timeout = Duration::from_secs(4);
    let started = Instant::now();
    let first = deadline::within(timeout, ada.recover(&debts, saved(&card)))
        .await
        .unwrap();
    assert!(started.elapsed() < timeout, "{:?}", started.elapsed());
    let reasons_of_first = reasons(&first);
    let count = |reason: &str| reasons_of_first.iter().filter(|found| **found == reason).count();
    let (paid, pending, rest) = (count(""), count("PAYMENT_PENDING"), count("NOT_ATTEMPTED"));
    assert_eq!(paid + pending + rest, DEBTS, "{reasons_of_first:?}");
    // One after the other, the time is sufficient for two.
    assert!(paid >= 4 && rest > 0, "{reasons_of_first:?}");
    let first_ids: Vec<&String> = first.results.iter().map(|result| &result.debt_id).collect();
    assert_eq!(first_ids, debts.iter().collect::<Vec<_>>());

    let second = ada.recover(&debts, saved(&card)).await.unwrap();
    assert_eq!(reasons(&second), vec![""; DEBTS]);
    assert_eq!(total_owed(&second), 0);
    let expected = OWED * i64::try_from(DEBTS).unwrap();
    assert_eq!(harness.sandbox.held_or_captured_cents().await, expected);
    harness.shut_down().await;
}
