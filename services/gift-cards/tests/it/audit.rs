use gift_cards::ops::audit::{audit_new_purchases, audit_purchases};
use jiff::SignedDuration;
use ledger::AuditFinding;
use proto::giftcards::v1::AddFundsRequest;

use crate::{
    fake_services::CARD,
    harness::{Harness, new_order, usd},
    purchases::source,
};

#[tokio::test]
async fn the_audit_finds_a_hold_marked_as_captured_without_a_posting() {
    let harness = Harness::start().await;
    let consumer_id = harness.consumer_with(500).await;
    let order_id = new_order();
    harness.hold(order_id, consumer_id, 300).await.unwrap();
    assert_eq!(harness.audit_findings().await, []);

    harness
        .execute("UPDATE holds SET state = 'captured' WHERE state = 'held'")
        .await;
    let mismatch = AuditFinding::HoldMismatch {
        subject: Some(order_id.uuid()),
        held: 0,
        in_flight: 300,
    };
    assert_eq!(harness.audit_findings().await, [mismatch]);

    harness
        .execute("UPDATE holds SET state = 'held', amount = 200 WHERE state = 'captured'")
        .await;
    let mismatch = AuditFinding::HoldMismatch {
        subject: Some(order_id.uuid()),
        held: 200,
        in_flight: 300,
    };
    assert_eq!(harness.audit_findings().await, [mismatch]);
    harness.execute("UPDATE holds SET amount = 300").await;
    harness.close().await;
}

#[tokio::test]
async fn the_audit_finds_a_purchase_that_does_not_match_its_postings() {
    let harness = Harness::start().await;
    let consumer_id = harness.consumer_with(0).await;
    let request = AddFundsRequest {
        amount: usd(2_500),
        payment: source(CARD),
        balance_id: String::new(),
        idempotency_key: "key-of-a-test".to_owned(),
    };
    let purchase = harness.add_funds(consumer_id, request).await.unwrap();
    assert_eq!(audit_purchases(&harness.cx).await.unwrap(), []);
    harness.execute("UPDATE purchases SET state = 'failed'").await;
    let [finding] = &audit_purchases(&harness.cx).await.unwrap()[..] else {
        panic!("no finding")
    };
    assert_eq!(
        (finding.id.to_string(), finding.amount, finding.posted),
        (purchase.purchase_id, 2_500, 2_500)
    );
    harness.execute("UPDATE purchases SET state = 'completed'").await;
    harness.close().await;
}

#[tokio::test]
async fn the_periodic_audit_checks_what_changed_and_repeats_its_findings() {
    let harness = Harness::start().await;
    let consumer_id = harness.consumer_with(0).await;
    let add_funds = async |key: &str| {
        let request = AddFundsRequest {
            amount: usd(2_500),
            payment: source(CARD),
            balance_id: String::new(),
            idempotency_key: key.to_owned(),
        };
        harness.add_funds(consumer_id, request).await.unwrap().purchase_id
    };
    let found = async || {
        let findings = audit_new_purchases(&harness.cx).await.unwrap().unwrap();
        let ids = findings.into_iter().map(|finding| finding.id.to_string());
        ids.collect::<Vec<_>>()
    };
    let old = add_funds("the first key").await;
    assert!(found().await.is_empty());
    harness.advance_clock(SignedDuration::from_hours(3));
    assert!(found().await.is_empty());
    let new = add_funds("the second key").await;
    harness.execute("UPDATE purchases SET state = 'failed'").await;
    for _ in 0..2 {
        assert_eq!(found().await, [new.as_str()]);
        harness.advance_clock(SignedDuration::from_hours(3));
    }
    let mut all: Vec<_> = audit_purchases(&harness.cx)
        .await
        .unwrap()
        .into_iter()
        .map(|finding| finding.id.to_string())
        .collect();
    all.sort();
    assert_eq!(all, [old, new]);
    harness.execute("UPDATE purchases SET state = 'completed'").await;
    assert!(found().await.is_empty());
    harness.close().await;
}
