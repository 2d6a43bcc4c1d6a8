use kit::InternalError;
use sqlx::PgConnection;

use crate::{
    db::{consumers, purchase_leases},
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
