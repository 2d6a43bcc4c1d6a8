//! The audit of money: differences between purchases and charges in each direction, and what the audit repairs.

use gift_cards::{
    domain::money_audit::MoneyDifference::{
        self, ChargeAmount, ChargeMissing, ChargeWithoutPurchase, PurchaseNotCompleted,
    },
    ops::audit_money::MoneyAudit,
};
use jiff::{SignedDuration, Timestamp};
use kit::audit::{audit_all, audit_due};
use proto::{
    giftcards::v1::AddFundsRequest,
    payments::v1::{ChargePurpose, ChargeState, ChargeSubject},
};
use types::PurchaseId;

use crate::{
    fake_services::{AUTHENTICATED, BANK, CARD, FakeCharge},
    harness::{Harness, usd},
    purchases::source,
};

/// Adds funds and returns the id of the purchase.
async fn add_funds(harness: &Harness, method: &str) -> PurchaseId {
    let consumer_id = harness.consumer_with(0).await;
    let request = AddFundsRequest {
        amount: usd(2_500),
        payment: source(method),
        balance_id: String::new(),
        idempotency_key: "key-of-a-test".to_owned(),
    };
    let purchase = harness.add_funds(consumer_id, request).await.unwrap();
    purchase.purchase_id.parse().unwrap()
}

fn audit_of(harness: &Harness) -> MoneyAudit {
    MoneyAudit(harness.cx.clone())
}

async fn audit(harness: &Harness) -> Vec<(PurchaseId, MoneyDifference)> {
    audit_all(&audit_of(harness)).await.unwrap().differences
}

fn top_up(id: PurchaseId, state: ChargeState) -> FakeCharge {
    let subject = ChargeSubject {
        purpose: ChargePurpose::TopUp.into(),
        id: id.to_string(),
    };
    FakeCharge {
        subject,
        state,
        cents: 2_500,
    }
}

#[tokio::test]
async fn purchases_with_their_charges_have_no_differences() {
    let harness = Harness::start().await;
    for method in [CARD, BANK, AUTHENTICATED] {
        add_funds(&harness, method).await;
    }
    let audited = audit_all(&audit_of(&harness)).await.unwrap();
    assert_eq!((audited.differences, audited.repaired), (vec![], vec![]));
    assert_eq!(audited.compared, 6, "three purchases, and three charges");
    harness.close().await;
}

#[tokio::test]
async fn a_purchase_without_its_charge_and_a_charge_without_its_purchase_are_reported() {
    let harness = Harness::start().await;
    let paid = add_funds(&harness, CARD).await;
    harness.services.remove_charge(&paid.to_string());
    let charged = PurchaseId::new(harness.now());
    harness
        .services
        .add_charge(top_up(charged, ChargeState::Succeeded));
    let closed = PurchaseId::new(harness.now());
    harness.services.add_charge(top_up(closed, ChargeState::Closed));
    let mut expected = vec![(paid, ChargeMissing), (charged, ChargeWithoutPurchase)];
    expected.sort_unstable();
    assert_eq!(audit(&harness).await, expected);
    harness.close().await;
}

#[tokio::test]
async fn a_charge_of_another_amount_is_reported() {
    let harness = Harness::start().await;
    let paid = add_funds(&harness, CARD).await;
    harness.services.add_charge(FakeCharge {
        cents: 2_400,
        ..top_up(paid, ChargeState::Succeeded)
    });
    assert_eq!(audit(&harness).await, [(paid, ChargeAmount)]);
    harness.close().await;
}

#[tokio::test]
async fn the_charge_of_a_failed_purchase_is_closed() {
    let harness = Harness::start().await;
    let failed = add_funds(&harness, CARD).await;
    harness
        .execute("UPDATE purchases SET state = 'failed', error_code = 'conflict', reason = 'TEST', message = 'Failed.'")
        .await;
    let first = audit_all(&audit_of(&harness)).await.unwrap();
    assert_eq!((first.differences, first.repaired), (vec![], vec![failed]));
    assert_eq!(harness.services.paid(), 0);
    assert_eq!(audit_all(&audit_of(&harness)).await.unwrap().repaired, []);
    harness.execute("UPDATE purchases SET state = 'completed'").await;
    harness.close().await;
}

#[tokio::test]
async fn a_purchase_that_waits_for_a_settled_debit_is_reported_when_the_event_had_time_to_arrive() {
    let mut harness = Harness::start().await;
    let waiting = add_funds(&harness, BANK).await;
    harness
        .execute("UPDATE purchases SET changed_at = now() - interval '1 day'")
        .await;
    harness
        .services
        .set_charge(&waiting.to_string(), ChargeState::Succeeded);
    harness.cx.rules.audit_settle_seconds = 600;
    let now = database_now(&harness).await;
    harness.services.set_charges_changed_at(now);
    assert_eq!(audit(&harness).await, []);
    harness
        .services
        .set_charges_changed_at(now - SignedDuration::from_mins(20));
    assert_eq!(audit(&harness).await, [(waiting, PurchaseNotCompleted)]);
    harness.close().await;
}

async fn database_now(harness: &Harness) -> Timestamp {
    let now: jiff_sqlx::Timestamp = sqlx::query_scalar("SELECT now()")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    now.to_jiff()
}

#[tokio::test]
async fn the_periodic_audit_compares_what_changed_and_repeats_its_differences() {
    let harness = Harness::start().await;
    let paid = add_funds(&harness, CARD).await;
    let charge = harness.services.charges().remove(0);
    harness.services.remove_charge(&paid.to_string());
    let audit = audit_of(&harness);
    let run = async || audit_due(&audit).await.unwrap();
    assert_eq!(run().await.unwrap().differences, [(paid, ChargeMissing)]);
    assert!(run().await.is_none(), "the next audit is due in an hour");
    // Changed long ago: only the stored difference is compared again.
    harness
        .execute("UPDATE purchases SET changed_at = now() - interval '3 hours'")
        .await;
    harness.execute("UPDATE audits SET due_at = now()").await;
    let second = run().await.unwrap();
    assert_eq!(
        (second.compared, second.differences),
        (1, vec![(paid, ChargeMissing)])
    );
    harness.services.add_charge(charge);
    harness.execute("UPDATE audits SET due_at = now()").await;
    assert_eq!(run().await.unwrap().differences, []);
    let stored: i64 = sqlx::query_scalar("SELECT count(*) FROM audit_differences")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(stored, 0);
    harness.close().await;
}

#[tokio::test]
async fn an_audit_that_fails_is_repeated_and_one_replica_audits_at_a_time() {
    let harness = Harness::start().await;
    let audit = audit_of(&harness);
    harness.services.set_down(true);
    audit_due(&audit).await.unwrap_err();
    harness.services.set_down(false);
    assert!(
        audit_due(&audit).await.unwrap().is_none(),
        "the lease has not expired"
    );
    harness.execute("UPDATE audits SET due_at = now()").await;
    let (first, second) = tokio::join!(audit_due(&audit), audit_due(&audit));
    let audits = [first.unwrap(), second.unwrap()];
    assert_eq!(audits.iter().flatten().count(), 1);
    harness.close().await;
}
