//! What the facts about an order say.

use jiff::Timestamp;
use kit::outbox::{self, Entry};
use proto::ordering::v1 as pb;
use sqlx::PgConnection;

use crate::{convert, db::orders::Row, domain::order::Status};

/// The fact that an order became what its row says now; none of an order that is not placed yet.
pub fn of(row: &Row, status: Status, at: Timestamp) -> Option<Entry> {
    let order = Some(fact(row, status, at));
    let (id, version) = (row.order_id().to_string(), row.version);
    Some(match status {
        Status::PaymentPending => return None,
        Status::Scheduled | Status::Placed => Entry::of(id, version, at, &pb::OrderPlaced { order }),
        Status::Accepted => Entry::of(id, version, at, &pb::OrderAccepted { order }),
        Status::Preparing => Entry::of(id, version, at, &pb::OrderPreparing { order }),
        Status::Ready => Entry::of(id, version, at, &pb::OrderReady { order }),
        Status::Completed => {
            let items = row.lines.0.iter().map(|line| pb::ItemCount {
                item_id: line.item_id.clone(),
                quantity: line.quantity,
            });
            let items = items.collect();
            Entry::of(id, version, at, &pb::OrderCompleted { order, items })
        }
        Status::Cancelled => Entry::of(id, version, at, &pb::OrderCancelled { order }),
        Status::Rejected => Entry::of(id, version, at, &pb::OrderRejected { order }),
        Status::PaymentFailed => Entry::of(id, version, at, &pb::OrderAbandoned { order }),
    })
}

/// Publishes that the consumer is there.
///
/// # Errors
/// The database's.
pub async fn publish_arrived(
    conn: &mut PgConnection,
    row: &Row,
    status: Status,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let order = Some(fact(row, status, at));
    outbox::append(
        conn,
        &row.order_id().to_string(),
        row.version,
        at,
        &pb::OrderArrived { order },
    )
    .await
    .map(drop)
}

fn fact(row: &Row, status: Status, at: Timestamp) -> pb::OrderSnapshot {
    pb::OrderSnapshot {
        order_id: row.order_id().to_string(),
        consumer_id: row.consumer().to_string(),
        store_id: row.store().to_string(),
        status: convert::status(status).into(),
        version: row.version,
        at: at.to_string(),
        tender: convert::tender_kind(&row.tender).into(),
        total_minor_units: row.total,
        earning_minor_units: row.subtotal - row.discount,
        currency: row.currency.clone(),
        store_name: row.store_name.clone(),
        reason: row.reason.clone(),
        message: row.message.clone(),
        ready_at: row.ready_at.to_jiff().to_string(),
        time_zone: row.time_zone.clone(),
        pickup_number: convert::pickup_number(row.id),
    }
}
