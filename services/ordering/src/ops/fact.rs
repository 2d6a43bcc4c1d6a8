//! The events about an order.

use jiff::Timestamp;
use kit::outbox::{self, OutboxEntry};
use proto::{
    events::Event,
    ordering::v1::{self as pb, order_event::Change},
};
use sqlx::PgConnection;

use crate::{convert, db::orders::Row, domain::order::Status};

/// Returns the event for the order's new status, or none for an order that is not placed yet.
pub fn of(row: &Row, status: Status, at: Timestamp, end: Option<pb::OrderEnd>) -> Option<OutboxEntry> {
    let change = match status {
        Status::PaymentPending => return None,
        Status::Scheduled | Status::Placed => Change::Placed(pb::OrderPlaced {}),
        Status::Accepted => Change::Accepted(pb::OrderAccepted {}),
        Status::Preparing => Change::Preparing(pb::OrderPreparing {}),
        Status::Ready => Change::Ready(pb::OrderReady {}),
        Status::Completed => {
            let items = row.lines.0.iter().map(|line| pb::ItemCount {
                item_id: line.item_id.clone(),
                quantity: line.quantity,
            });
            Change::Completed(pb::OrderCompleted {
                items: items.collect(),
            })
        }
        Status::Cancelled => Change::Cancelled(pb::OrderCancelled { end }),
        Status::Rejected => Change::Rejected(pb::OrderRejected { end }),
        Status::PaymentFailed => Change::Abandoned(pb::OrderAbandoned { end }),
    };
    Some(entry(row, status, at, change))
}

/// Publishes that the consumer has arrived.
pub async fn publish_arrived(
    conn: &mut PgConnection,
    row: &Row,
    status: Status,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let arrived = Change::Arrived(pb::OrderArrived {});
    outbox::append(conn, entry(row, status, at, arrived)).await
}

/// Returns why an order ended, from the reason code of its row.
pub fn end(row: &Row) -> Option<pb::OrderEnd> {
    let reason = match row.reason.as_str() {
        "" => return None,
        "CONSUMER_CANCELLED" => pb::EndReason::CancelledByConsumer,
        "NOT_ACCEPTED" => pb::EndReason::NotAcceptedInTime,
        "PAYMENT_HOLD_EXPIRED" => pb::EndReason::PaymentHoldExpired,
        "PAYMENT_RETURNED" => pb::EndReason::PaymentReturned,
        "STORE_REJECTED" => pb::EndReason::RejectedByStore,
        "ORDER_NOT_PLACED" => pb::EndReason::PlacementInterrupted,
        _ => pb::EndReason::PlacementFailed,
    };
    Some(pb::OrderEnd {
        reason: reason.into(),
        charged: reason == pb::EndReason::RejectedByStore,
        message: row.message.clone(),
    })
}

fn entry(row: &Row, status: Status, at: Timestamp, change: Change) -> OutboxEntry {
    let event = pb::OrderEvent {
        order: Some(snapshot(row, status, at)),
        change: Some(change),
    };
    OutboxEntry::new(event.event_type(), &event, row.order_id().to_string(), row.version, at)
}

fn snapshot(row: &Row, status: Status, at: Timestamp) -> pb::OrderSnapshot {
    pb::OrderSnapshot {
        order_id: row.order_id().to_string(),
        consumer_id: row.consumer().to_string(),
        store_id: row.store().to_string(),
        status: convert::status(status).into(),
        version: row.version,
        changed_at: at.to_string(),
        tender: convert::tender_kind(&row.tender).into(),
        total_minor_units: row.total,
        earning_minor_units: row.subtotal - row.discount,
        currency: row.currency.clone(),
        store_name: row.store_name.clone(),
        ready_at: row.ready_at.to_jiff().to_string(),
        time_zone: row.time_zone.clone(),
        pickup_number: convert::pickup_number(row.id),
    }
}
