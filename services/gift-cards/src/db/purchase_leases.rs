//! Leases of purchases, by the database's clock. Acquiring a lease increments the epoch, so that the previous holder can
//! write nothing more.

use std::time::Duration;

use kit::InternalError;
use sqlx::PgConnection;
use types::{ConsumerId, PurchaseId};

use super::purchases::parse_outcome;
use crate::domain::purchase::ChargeOutcome;

/// Leaves the purchase to the consumer's authentication, until `timeout` after it waited for the first time. Returns the event
/// about the charge that arrived while the task had the lease, and `None` if it no longer has it.
pub async fn release_to_wait(
    conn: &mut PgConnection,
    id: PurchaseId,
    epoch: i64,
    timeout: Duration,
) -> Result<Option<Option<ChargeOutcome>>, InternalError> {
    let row = sqlx::query!(
        "UPDATE purchases SET state = 'requires_action',
           authenticate_by = coalesce(authenticate_by, now() + make_interval(secs => $3)),
           lease_until = coalesce(authenticate_by, now() + make_interval(secs => $3))
         WHERE id = $1 AND epoch = $2 AND state = 'pending' RETURNING charge_outcome",
        id.uuid(),
        epoch,
        timeout.as_secs_f64(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(|row| parse_outcome(row.charge_outcome)).transpose()
}

/// Acquires the lease of a purchase that waits for the consumer's authentication, and returns its epoch. `None` if it does
/// not wait.
pub async fn acquire_waiting(
    conn: &mut PgConnection,
    id: PurchaseId,
    lease: Duration,
) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!(
        "UPDATE purchases SET state = 'pending', client_secret = '', epoch = epoch + 1,
           lease_until = now() + make_interval(secs => $2)
         WHERE id = $1 AND state = 'requires_action' RETURNING epoch",
        id.uuid(),
        lease.as_secs_f64(),
    )
    .fetch_optional(conn)
    .await
}

/// Leaves a purchase that has not ended to recovery, if its epoch is still the one that was read.
pub async fn expire(conn: &mut PgConnection, id: PurchaseId, epoch: i64) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE purchases SET state = 'pending', client_secret = '', epoch = epoch + 1, lease_until = now()
         WHERE id = $1 AND epoch = $2 AND state IN ('pending', 'requires_action', 'processing')",
        id.uuid(),
        epoch,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Leaves the purchases of a consumer that wait for an authentication or a bank debit to recovery. Skips those that a transaction is
/// changing.
pub async fn expire_waiting(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH waiting AS (
           SELECT id AS waiting_id FROM purchases
           WHERE consumer_id = $1 AND state IN ('requires_action', 'processing') FOR UPDATE SKIP LOCKED
         )
         UPDATE purchases SET state = 'pending', client_secret = '', epoch = epoch + 1, lease_until = now()
         FROM waiting WHERE id = waiting_id",
        consumer_id.uuid(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// A purchase that recovery closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpiredLease {
    pub id: PurchaseId,
    pub epoch: i64,
    /// Whether the consumer did not authenticate the payment in time.
    pub awaited_authentication: bool,
}

/// Acquires expired leases, oldest first, skipping purchases that another task is acquiring.
pub async fn acquire_expired(
    conn: &mut PgConnection,
    lease: Duration,
    limit: i64,
) -> sqlx::Result<Vec<ExpiredLease>> {
    sqlx::query_as!(
        ExpiredLease,
        r#"WITH expired AS (
             SELECT id AS expired_id, state AS expired_state FROM purchases
             WHERE lease_until < now() ORDER BY lease_until LIMIT $2 FOR UPDATE SKIP LOCKED
           )
           UPDATE purchases SET state = 'pending', client_secret = '', epoch = epoch + 1,
             lease_until = now() + make_interval(secs => $1)
           FROM expired WHERE id = expired_id
           RETURNING id, epoch, expired_state = 'requires_action' AS "awaited_authentication!""#,
        lease.as_secs_f64(),
        limit,
    )
    .fetch_all(conn)
    .await
}
