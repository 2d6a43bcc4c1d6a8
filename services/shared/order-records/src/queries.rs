//! Reads the records of an order in the database of one service.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{FromRow, PgConnection};
use types::{ChargeId, OrderId};
use uuid::Uuid;

use crate::{
    deliveries,
    records::{Record, Records, Summary},
    service::Service,
};

#[derive(FromRow)]
struct Row {
    at: SqlTimestamp,
    text: String,
    trace_parent: Option<String>,
}

#[derive(FromRow)]
struct OrderRow {
    store_name: String,
    status: String,
    total: i64,
    currency: String,
    tender: String,
    reason: String,
}

/// Returns the newest state of an order, from the database of ordering.
pub async fn read_summary(conn: &mut PgConnection, order: OrderId) -> sqlx::Result<Option<Summary>> {
    let row: Option<OrderRow> = sqlx::query_as(
        "SELECT store_name, status, total, currency, tender, reason FROM orders WHERE id = $1",
    )
    .bind(order.uuid())
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| Summary {
        order: order.to_string(),
        state: format!(
            "{} at {}, {} {} cents by {}",
            row.status, row.store_name, row.total, row.currency, row.tender
        ),
        reason: row.reason,
    }))
}

/// Returns the records of an order, and the events about it that the service published.
pub async fn read_records(
    service: Service,
    conn: &mut PgConnection,
    order: OrderId,
) -> sqlx::Result<Records> {
    let mut rows: Vec<Row> = sqlx::query_as(service.statement())
        .bind(order.uuid())
        .fetch_all(&mut *conn)
        .await?;
    let mut aggregates = vec![order.to_string()];
    let published_events = match service {
        Service::Ordering => deliveries::order_events(conn, order).await?,
        Service::Payments => {
            aggregates.extend(charges(conn, order).await?.iter().map(ToString::to_string));
            deliveries::refund_events(conn, order).await?
        }
        Service::Stores | Service::GiftCards | Service::Rewards => Vec::new(),
    };
    rows.extend(event_rows(conn, &aggregates, created_at(order)).await?);
    Ok(Records {
        records: rows.into_iter().map(|row| record(service, row)).collect(),
        not_consumed: Vec::new(),
        published_events,
    })
}

/// Returns the events about these aggregates: those in the outbox, and those that were published since the order was created
/// and are still kept.
async fn event_rows(
    conn: &mut PgConnection,
    aggregates: &[String],
    created_at: Timestamp,
) -> sqlx::Result<Vec<Row>> {
    sqlx::query_as(
        "SELECT occurred_at AS at, 'event ' || kind || ' is not published yet' AS text, trace_parent
         FROM outbox WHERE aggregate_id = ANY($1)
         UNION ALL
         SELECT published_at, 'event ' || kind || ' published', trace_parent
         FROM published_events WHERE published_at >= $2 AND aggregate_id = ANY($1)",
    )
    .bind(aggregates)
    .bind(created_at.to_sqlx())
    .fetch_all(conn)
    .await
}

async fn charges(conn: &mut PgConnection, order: OrderId) -> sqlx::Result<Vec<ChargeId>> {
    let ids: Vec<Uuid> =
        sqlx::query_scalar("SELECT id FROM charges WHERE purpose = 'order' AND subject_id = $1")
            .bind(order.uuid())
            .fetch_all(conn)
            .await?;
    Ok(ids.into_iter().map(ChargeId::from_uuid).collect())
}

fn record(service: Service, row: Row) -> Record {
    Record {
        at: row.at.to_jiff(),
        service: service.name().to_owned(),
        text: row.text,
        trace_id: row.trace_parent.as_deref().and_then(trace_id),
    }
}

/// Returns the trace id of a W3C `traceparent`.
fn trace_id(trace_parent: &str) -> Option<String> {
    trace_parent.split('-').nth(1).map(str::to_owned)
}

/// Returns the time in the id of an order, a UUIDv7.
fn created_at(order: OrderId) -> Timestamp {
    let time = order.uuid().get_timestamp().map(|time| time.to_unix().0);
    let seconds = time.and_then(|seconds| i64::try_from(seconds).ok());
    seconds
        .and_then(|seconds| Timestamp::from_second(seconds).ok())
        .unwrap_or(Timestamp::UNIX_EPOCH)
}
