//! What the facts about an order say.

use jiff::Timestamp;
use kit::outbox;
use proto::ordering::v1 as pb;
use sqlx::PgConnection;

use crate::{convert, db::orders::Row, domain::order::Status};

/// Publishes that an order became what its row says now.
///
/// # Errors
/// The database's.
pub async fn publish(
    conn: &mut PgConnection,
    row: &Row,
    status: Status,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let order = Some(fact(row, status, at));
    let id = row.order_id().to_string();
    let version = row.version;
    match status {
        Status::PaymentPending => return Ok(()),
        Status::Scheduled | Status::Placed => {
            outbox::append(conn, &id, version, at, &pb::OrderPlaced { order }).await
        }
        Status::Accepted => outbox::append(conn, &id, version, at, &pb::OrderAccepted { order }).await,
        Status::Preparing => outbox::append(conn, &id, version, at, &pb::OrderPreparing { order }).await,
        Status::Ready => outbox::append(conn, &id, version, at, &pb::OrderReady { order }).await,
        Status::Completed => {
            let items = row.lines.0.iter().map(|line| pb::ItemCount {
                item_id: line.item_id.clone(),
                quantity: line.quantity,
            });
            outbox::append(
                conn,
                &id,
                version,
                at,
                &pb::OrderCompleted {
                    order,
                    items: items.collect(),
                },
            )
            .await
        }
        Status::Cancelled => outbox::append(conn, &id, version, at, &pb::OrderCancelled { order }).await,
        Status::Rejected => outbox::append(conn, &id, version, at, &pb::OrderRejected { order }).await,
        Status::PaymentFailed => outbox::append(conn, &id, version, at, &pb::OrderAbandoned { order }).await,
    }
    .map(drop)
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

fn fact(row: &Row, status: Status, at: Timestamp) -> pb::OrderFact {
    pb::OrderFact {
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
