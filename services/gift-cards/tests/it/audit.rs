use ledger::AuditFinding;

use crate::harness::{Harness, new_order};

#[tokio::test]
async fn the_audit_finds_a_hold_whose_row_says_that_it_was_captured() {
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
