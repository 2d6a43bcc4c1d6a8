//! Moves of scheduled orders that are not completed. Leases are compared with the database's clock.

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
           epoch = nextval('order_move_epochs'), lease_until = excluded.lease_until, retry_at = now(), failures = 0
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
        ready_at: Some(ready_at),
        reason: reason.to_owned(),
        epoch,
    }))
}

/// Acquires an interrupted move that is due.
pub async fn acquire_due(conn: &mut PgConnection, lease: Duration) -> Result<Option<OrderMove>, sqlx::Error> {
    let row = sqlx::query!(
        r#"UPDATE order_moves SET epoch = nextval('order_move_epochs'), lease_until = now() + make_interval(secs => $1)
         WHERE order_id = (
           SELECT order_id FROM order_moves WHERE lease_until < now() AND retry_at <= now()
           ORDER BY retry_at LIMIT 1 FOR UPDATE SKIP LOCKED
         )
         RETURNING order_id, ready_at AS "ready_at: SqlTimestamp", reason, epoch"#,
        lease.as_secs_f64(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| OrderMove {
        order_id: OrderId::from_uuid(row.order_id),
        ready_at: row.ready_at.map(SqlTimestamp::to_jiff),
        reason: row.reason,
        epoch: row.epoch,
    }))
}

/// Ends a move. Leaves a check of the reservation to recovery if another task may have moved it.
///
/// Returns false if another task has acquired the lease.
pub async fn finish(conn: &mut PgConnection, order_move: &OrderMove) -> Result<bool, sqlx::Error> {
    let check_reservation = sqlx::query_scalar!(
        "DELETE FROM order_moves WHERE order_id = $1 AND epoch = $2 RETURNING check_reservation",
        order_move.order_id.uuid(),
        order_move.epoch,
    )
    .fetch_optional(&mut *conn)
    .await?;
    if check_reservation == Some(true) {
        leave_to_recovery(conn, order_move).await?;
    }
    Ok(check_reservation.is_some())
}

/// Leaves a move to recovery, with a delay that grows with each failure. If another task has the lease or has ended the move, the
/// reservation is moved to the promised time after that.
pub async fn leave_to_recovery(conn: &mut PgConnection, order_move: &OrderMove) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO order_moves AS current (order_id, lease_until) VALUES ($1, now())
         ON CONFLICT (order_id) DO UPDATE SET
           check_reservation = current.check_reservation OR current.epoch <> $2,
           lease_until = CASE WHEN current.epoch = $2 THEN now() ELSE current.lease_until END,
           retry_at = CASE WHEN current.epoch = $2
             THEN now() + make_interval(secs => least(power(2, least(current.failures, 6)), 60)) ELSE current.retry_at END,
           failures = current.failures + (current.epoch = $2)::integer",
        order_move.order_id.uuid(),
        order_move.epoch,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Gives up the new time, and leaves the reservation to recovery.
pub async fn abandon(conn: &mut PgConnection, order_move: &OrderMove) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE order_moves SET ready_at = NULL, lease_until = now() WHERE order_id = $1 AND epoch = $2",
        order_move.order_id.uuid(),
        order_move.epoch,
    )
    .execute(conn)
    .await?;
    Ok(())
}
