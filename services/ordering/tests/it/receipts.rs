use std::time::Duration;

use kit::{ErrorCode, ServiceError};
use ordering::{
    domain::{receipt::Receipt, status::Status},
    ops::get_receipt::{ReceiptError, get_public_receipt, get_receipt},
};
use types::{ConsumerId, OrderId};

use crate::harness::Harness;

#[tokio::test]
async fn a_receipt_has_every_line_and_amount_for_its_consumer() {
    let harness = Harness::new().await;
    let record = harness.insert_order(Status::Completed).await;
    let receipt = get_receipt(&harness.cx, record.order.consumer_id, record.order.id)
        .await
        .unwrap();
    assert_eq!(receipt.order.lines, record.order.lines);
    assert_eq!(receipt.order.totals, record.order.totals);
    assert!(receipt.completed_at.is_some());
    assert!(!receipt.signature.is_empty());

    let foreign = get_receipt(&harness.cx, ConsumerId::new(harness.now()), record.order.id).await;
    assert!(matches!(foreign, Err(ReceiptError::NotFound)));
    let unknown = get_receipt(&harness.cx, record.order.consumer_id, OrderId::new(harness.now())).await;
    assert!(matches!(unknown, Err(ReceiptError::NotFound)));
    harness.database.drop().await;
}

async fn insert_with_note(harness: &Harness) -> Receipt {
    let mut record = harness.record(Status::Completed);
    record.order.lines[0].note = "for Maya, 555-0100".into();
    harness.insert(&record).await.unwrap();
    get_receipt(&harness.cx, record.order.consumer_id, record.order.id)
        .await
        .unwrap()
}

#[tokio::test]
async fn the_public_receipt_has_all_amounts_and_no_note() {
    let harness = Harness::new().await;
    let own = insert_with_note(&harness).await;
    assert_eq!(own.order.lines[0].note, "for Maya, 555-0100");
    for _ in 0..2 {
        let public = get_public_receipt(&harness.cx, own.order.id, &own.signature)
            .await
            .unwrap();
        assert_eq!(public.order.totals, own.order.totals);
        assert_eq!(public.order.lines[0].amount, own.order.lines[0].amount);
        assert_eq!(
            (public.order.lines[0].note.as_str(), public.signature.as_str()),
            ("", "")
        );
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn an_invalid_signature_and_an_unknown_order_get_the_same_response() {
    let harness = Harness::new().await;
    let (own, other) = (insert_with_note(&harness).await, insert_with_note(&harness).await);
    let unknown = OrderId::new(harness.now());
    let mut changed = own.signature.clone();
    changed.replace_range(..1, if changed.starts_with('A') { "B" } else { "A" });
    for (order_id, signature) in [
        (own.order.id, ""),
        (own.order.id, changed.as_str()),
        (own.order.id, other.signature.as_str()),
        (unknown, own.signature.as_str()),
        (unknown, harness.cx.receipt_keys.sign(unknown).as_str()),
    ] {
        let error = get_public_receipt(&harness.cx, order_id, signature)
            .await
            .unwrap_err();
        let error = ServiceError::from(error);
        assert_eq!(
            (error.code, &*error.reason),
            (ErrorCode::NotFound, "RECEIPT_SIGNATURE_INVALID"),
            "{signature}"
        );
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_public_link_expires() {
    let harness = Harness::new().await;
    let own = insert_with_note(&harness).await;
    harness.advance_clock(Duration::from_hours(24 * 90));
    assert!(
        get_public_receipt(&harness.cx, own.order.id, &own.signature)
            .await
            .is_ok()
    );
    harness.advance_clock(Duration::from_hours(1));
    let expired = get_public_receipt(&harness.cx, own.order.id, &own.signature).await;
    assert!(matches!(expired, Err(ReceiptError::Expired)));
    assert!(
        get_receipt(&harness.cx, own.order.consumer_id, own.order.id)
            .await
            .is_ok()
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn canceled_and_rejected_orders_have_a_receipt_with_their_status() {
    let harness = Harness::new().await;
    for status in [Status::Cancelled, Status::Rejected] {
        let record = harness.insert_order(status).await;
        let own = get_receipt(&harness.cx, record.order.consumer_id, record.order.id)
            .await
            .unwrap();
        let public = get_public_receipt(&harness.cx, record.order.id, &own.signature)
            .await
            .unwrap();
        assert_eq!((own.order.status, public.order.status), (status, status));
        assert_eq!(own.completed_at, None);
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn orders_that_were_not_placed_have_no_receipt() {
    let harness = Harness::new().await;
    for status in [Status::PaymentPending, Status::PaymentFailed] {
        let record = harness.insert_order(status).await;
        let own = get_receipt(&harness.cx, record.order.consumer_id, record.order.id).await;
        assert!(matches!(own, Err(ReceiptError::NotPlaced)), "{status:?}");
        let signature = harness.cx.receipt_keys.sign(record.order.id);
        let public = get_public_receipt(&harness.cx, record.order.id, &signature).await;
        assert!(matches!(public, Err(ReceiptError::NotPlaced)), "{status:?}");
    }
    harness.database.drop().await;
}
