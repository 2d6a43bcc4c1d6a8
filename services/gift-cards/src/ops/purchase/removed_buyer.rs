use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::{
    db::{consumers, purchase_leases, purchases},
    domain::purchase::Purchase,
};

/// Leaves a purchase to recovery if its consumer was removed, and returns whether it did: recovery voids or refunds the charge.
///
/// Takes the lock that a removal takes as well, so that one of them waits for the other.
pub(super) async fn leave_to_recovery_if_removed(
    conn: &mut PgConnection,
    purchase: &Purchase,
) -> Result<bool, InternalError> {
    if consumers::ensure_active(conn, purchase.consumer_id).await? {
        return Ok(false);
    }
    purchase_leases::expire(conn, purchase.id, purchase.epoch).await?;
    tracing::info!(purchase_id = %purchase.id, "consumer removed; recovery closes the purchase");
    Ok(true)
}

/// Erases the personal data of the ended purchases of a consumer who was removed, and returns whether they were: the removal may have
/// found a purchase that had not ended.
pub(super) async fn anonymize_if_removed(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    now: Timestamp,
) -> Result<bool, InternalError> {
    if consumers::ensure_active(conn, consumer_id).await? {
        return Ok(false);
    }
    purchases::anonymize(conn, consumer_id, ConsumerId::new(now)).await?;
    Ok(true)
}
