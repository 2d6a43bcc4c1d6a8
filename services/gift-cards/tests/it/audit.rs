use gift_cards::ops::audit::audit_purchases;
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
