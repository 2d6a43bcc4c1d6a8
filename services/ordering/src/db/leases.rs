//! Leases of sagas. Expiry is compared with the database's clock, so that clock differences between replicas do not
//! matter. Acquiring a lease increments the order's epoch, so that writes of the previous holder have no effect.
//!
//! `awaits_authentication` is set only while no task works on the order and the consumer has to authenticate the payment.
//! Acquiring the lease clears it, so that one task at a time resumes the order, and none after recovery acquired the
//! lease. The previous release reads and writes `client_secret` instead, where any text means that the order waits. If it has
//! acquired a lease, `awaits_authentication` may still be set: then a second task can acquire the lease, and the first writes
//! nothing more.

use std::time::Duration;

use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, OrderId};

use crate::domain::order::OrderRecord;

/// The lease of an order's saga.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub order_id: OrderId,
    /// The order's epoch. Another task that acquires the lease increments it.
    pub epoch: i64,
    /// Whether the order waited for the consumer's authentication.
    pub awaited_authentication: bool,
}

/// What the previous release reads as an order that waits for authentication.
const NO_SECRET: &str = "-";

/// Releases the lease until the consumer authenticates the payment. The wait ends `timeout` after the order first
/// waited. Also writes the promised time of the reservation.
///
/// Returns whether the saga still held the lease.
pub async fn release_to_wait(
    conn: &mut PgConnection,
    record: &OrderRecord,
    timeout: Duration,
) -> Result<bool, sqlx::Error> {
    let OrderRecord { order, placement } = record;
    let updated = sqlx::query!(
        "UPDATE orders SET awaits_authentication = true, client_secret = $3, ready_at = $5, start_at = $6,
            authenticate_by = coalesce(authenticate_by, now() + make_interval(secs => $4)),
            lease_until = coalesce(authenticate_by, now() + make_interval(secs => $4))
         WHERE id = $1 AND epoch = $2 AND status = 'payment_pending'",
        order.id.uuid(),
        placement.epoch,
        NO_SECRET,
        timeout.as_secs_f64(),
        order.ready_at.to_sqlx() as _,
        order.start_at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Acquires the lease of an order that waits for the consumer's authentication.
///
/// Returns `None` if the order does not wait, or another task has the lease.
pub async fn acquire_waiting(
    conn: &mut PgConnection,
    order_id: OrderId,
    lease: Duration,
) -> Result<Option<Lease>, sqlx::Error> {
    let epoch = sqlx::query_scalar!(
        "UPDATE orders SET epoch = epoch + 1, lease_until = now() + make_interval(secs => $2),
           awaits_authentication = false, client_secret = ''
         WHERE id = $1 AND status = 'payment_pending' AND (awaits_authentication OR client_secret <> '') RETURNING epoch",
        order_id.uuid(),
        lease.as_secs_f64(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(epoch.map(|epoch| Lease {
        order_id,
        epoch,
        awaited_authentication: true,
    }))
}

/// Ends the leases of a consumer's pending orders, also of those that wait for authentication, so that recovery closes them.
pub async fn expire(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE orders SET epoch = epoch + 1, lease_until = now()
         WHERE consumer_id = $1 AND status = 'payment_pending'",
        consumer_id.uuid(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Acquires leases that have expired, oldest first, skipping orders that another task is acquiring. At most `limit` for
/// orders that hold resources of the same services, so that orders of a service that is down do not use up the leases.
pub async fn acquire_expired(
    conn: &mut PgConnection,
    lease: Duration,
    limit: i64,
) -> Result<Vec<Lease>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"WITH ranked AS (
           SELECT id AS ranked_id,
             row_number() OVER (PARTITION BY tender = 'joepass', stored_value_amount > 0, total = 0, promo_code = '' ORDER BY lease_until) AS position
           FROM orders WHERE status = 'payment_pending' AND lease_until < now()
         ), expired AS (
           SELECT id AS expired_id, awaits_authentication OR client_secret <> '' AS awaited FROM orders
           WHERE id IN (SELECT ranked_id FROM ranked WHERE position <= $2)
             AND status = 'payment_pending' AND lease_until < now()
           FOR UPDATE SKIP LOCKED
         )
         UPDATE orders SET epoch = epoch + 1, lease_until = now() + make_interval(secs => $1),
           awaits_authentication = false, client_secret = ''
         FROM expired WHERE id = expired_id RETURNING id, epoch, awaited AS "awaited!""#,
        lease.as_secs_f64(),
        limit,
    )
    .fetch_all(conn)
    .await?;
    let leases = rows.into_iter().map(|row| Lease {
        order_id: OrderId::from_uuid(row.id),
        epoch: row.epoch,
        awaited_authentication: row.awaited,
    });
    Ok(leases.collect())
}
