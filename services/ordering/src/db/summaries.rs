//! Orders of a store by day.

use jiff::{Timestamp, civil::Date};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use serde::Deserialize;
use sqlx::{PgConnection, types::Json};
use types::StoreId;

use super::parse_column;
use crate::domain::summary::{SummaryItem, SummaryOrder};

/// The fields of a stored line that a summary needs.
#[derive(Debug, Deserialize)]
struct Line {
    item_id: String,
    item_name: String,
    quantity: u32,
}

/// Returns the day at the store, which is in the time zone of its orders, or `None` if no order is promised for a time near
/// `now`.
pub async fn today(
    conn: &mut PgConnection,
    store_id: StoreId,
    now: Timestamp,
) -> Result<Option<Date>, sqlx::Error> {
    let day = sqlx::query_scalar!(
        r#"SELECT ($2 AT TIME ZONE time_zone)::date AS "day!: jiff_sqlx::Date" FROM orders
           WHERE store_id = $1 AND status NOT IN ('payment_pending', 'payment_failed')
             AND ready_at BETWEEN $2 - interval '26 hours' AND $2 + interval '26 hours'
           ORDER BY ready_at DESC LIMIT 1"#,
        store_id.uuid(),
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(conn)
    .await?;
    Ok(day.map(jiff_sqlx::Date::to_jiff))
}

/// Lists the orders that are promised for a day in the store's time zone.
pub async fn list(
    conn: &mut PgConnection,
    store_id: StoreId,
    day: Date,
) -> Result<Vec<SummaryOrder>, sqlx::Error> {
    sqlx::query!(
        r#"SELECT status, pickup_at IS NOT NULL AS "is_scheduled!", placed_at AS "placed_at: SqlTimestamp",
             coalesce(first_ready_at, ready_at) AS "first_ready_at!: SqlTimestamp", made_at AS "made_at: SqlTimestamp",
             lines AS "lines: Json<Vec<Line>>", (SELECT rating FROM order_feedback WHERE order_id = orders.id) AS rating
           FROM orders
           WHERE store_id = $1 AND status NOT IN ('payment_pending', 'payment_failed')
             AND ready_at >= $2::date::timestamp AT TIME ZONE time_zone
             AND ready_at < ($2::date + 1)::timestamp AT TIME ZONE time_zone
             -- Uses the index, whatever the time zone.
             AND ready_at BETWEEN $2::date - interval '15 hours' AND $2::date + interval '39 hours'"#,
        store_id.uuid(),
        day.to_sqlx() as _,
    )
    .try_map(|row| {
        let items = row.lines.0.into_iter().map(|line| SummaryItem {
            item_id: line.item_id,
            name: line.item_name,
            quantity: line.quantity,
        });
        Ok(SummaryOrder {
            status: parse_column("status", &row.status)?,
            is_scheduled: row.is_scheduled,
            placed_at: row.placed_at.map(SqlTimestamp::to_jiff),
            first_ready_at: row.first_ready_at.to_jiff(),
            made_at: row.made_at.map(SqlTimestamp::to_jiff),
            items: items.collect(),
            rating: row.rating,
        })
    })
    .fetch_all(conn)
    .await
}
