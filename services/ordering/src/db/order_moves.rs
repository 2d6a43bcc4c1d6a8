//! Moves of scheduled orders that are not completed. Expiry of a lease is compared with the database's clock.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::OrderId;

use crate::domain::order_move::OrderMove;

/// Acquires the lease of an order's move. Replaces an interrupted one.
///
/// Returns `None` while another task moves the order.
pub async fn acquire(
    conn: &mut PgConnection,
    order_id: OrderId,
    ready_at: Timestamp,
    reason: &str,
    lease: Duration,
) -> Result<Option<OrderMove>, sqlx::Error> {
    let epoch = sqlx::query_scalar!(
        "INSERT INTO order_moves (order_id, ready_at, reason, lease_until)
         VALUES ($1, $2, $3, now() + make_interval(secs => $4))
         ON CONFLICT (order_id) DO UPDATE SET ready_at = excluded.ready_at, reason = excluded.reason,
           epoch = nextval('order_move_epochs'), lease_until = excluded.lease_until
         WHERE order_moves.lease_until < now()
         RETURNING epoch",
        order_id.uuid(),
        ready_at.to_sqlx() as _,
        reason,
        lease.as_secs_f64(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(epoch.map(|epoch| OrderMove {
        order_id,
        ready_at,
        reason: reason.to_owned(),
        epoch,
    }))
}

/// Acquires up to `limit` expired leases.
pub async fn acquire_expired(
    conn: &mut PgConnection,
    lease: Duration,
    limit: i64,
) -> Result<Vec<OrderMove>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"UPDATE order_moves SET epoch = nextval('order_move_epochs'), lease_until = now() + make_interval(secs => $1)
         WHERE order_id IN (
           SELECT order_id FROM order_moves WHERE lease_until < now() ORDER BY lease_until LIMIT $2 FOR UPDATE SKIP LOCKED
         )
         RETURNING order_id, ready_at AS "ready_at: SqlTimestamp", reason, epoch"#,
        lease.as_secs_f64(),
        limit,
    )
    .fetch_all(conn)
    .await?;
    let moves = rows.into_iter().map(|row| OrderMove {
        order_id: OrderId::from_uuid(row.order_id),
        ready_at: row.ready_at.to_jiff(),
        reason: row.reason,
        epoch: row.epoch,
    });
    Ok(moves.collect())
}

/// Deletes a move. Returns false if another task has acquired its lease.
pub async fn delete(conn: &mut PgConnection, order_move: &OrderMove) -> Result<bool, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM order_moves WHERE order_id = $1 AND epoch = $2",
        order_move.order_id.uuid(),
        order_move.epoch,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Leaves a move to recovery. If it was completed by another task, recovery moves the reservation to the promised time.
pub async fn leave_to_recovery(conn: &mut PgConnection, order_id: OrderId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO order_moves (order_id, ready_at, lease_until) SELECT id, ready_at, now() FROM orders WHERE id = $1
         ON CONFLICT (order_id) DO UPDATE SET epoch = nextval('order_move_epochs'), lease_until = now()",
        order_id.uuid(),
    )
    .execute(conn)
    .await?;
    Ok(())
}
