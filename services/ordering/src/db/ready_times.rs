//! Changes of the times at which orders are promised.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

use crate::domain::{order::Order, quote::Reservation, status::Actor};

/// Writes a later promised time with a reason, which may be empty, and adds it to the history. Keeps the original
/// promised time. Returns false if the order was changed since it was read.
pub async fn set_delay(
    conn: &mut PgConnection,
    order: &Order,
    ready_at: Timestamp,
    reason: &str,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"WITH changed AS (
             UPDATE orders SET first_ready_at = coalesce(first_ready_at, ready_at), ready_at = $3, delay_reason = $4,
               version = version + 1
             WHERE id = $1 AND version = $2 AND status IN ('placed', 'accepted', 'preparing')
             RETURNING id, version, status
           ), new_history AS (
             INSERT INTO order_history (order_id, version, status, at, actor, ready_at)
             SELECT id, version, status, $5, $6, $3 FROM changed
           )
           SELECT EXISTS (SELECT FROM changed) AS "changed!""#,
        order.id.uuid(),
        order.version,
        ready_at.to_sqlx() as _,
        reason,
        at.to_sqlx() as _,
        Actor::Store.as_str(),
    )
    .fetch_one(conn)
    .await
}

/// Writes other times of a scheduled order with a reason, which may be empty, and adds them to the history. Keeps the
/// original promised time. Returns false if the order was changed since it was read.
pub async fn set_schedule(
    conn: &mut PgConnection,
    order: &Order,
    times: Reservation,
    reason: &str,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"WITH changed AS (
             UPDATE orders SET first_ready_at = coalesce(first_ready_at, ready_at), ready_at = $3, pickup_at = $3,
               start_at = $4, delay_reason = $5, version = version + 1
             WHERE id = $1 AND version = $2 AND status = 'scheduled'
             RETURNING id, version, status
           ), new_history AS (
             INSERT INTO order_history (order_id, version, status, at, actor, ready_at)
             SELECT id, version, status, $6, $7, $3 FROM changed
           )
           SELECT EXISTS (SELECT FROM changed) AS "changed!""#,
        order.id.uuid(),
        order.version,
        times.ready_at.to_sqlx() as _,
        times.start_at.to_sqlx() as _,
        reason,
        at.to_sqlx() as _,
        Actor::Store.as_str(),
    )
    .fetch_one(conn)
    .await
}
