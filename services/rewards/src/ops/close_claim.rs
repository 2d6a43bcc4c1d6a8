//! Gives an order's claim back, or makes sure that it never has one.

use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::OrderId;

use crate::{Rewards, db, domain::Claim};

/// Closes an order's claim, in a transaction of its own, and says whether there was one. Idempotent.
///
/// # Errors
/// [`InternalError`].
pub async fn close_claim(cx: &Rewards, order: OrderId) -> Result<bool, InternalError> {
    let at = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    let released = close(&mut tx, order, at).await?;
    tx.commit().await?;
    Ok(released.is_some())
}

/// Gives back what an order claims. Where it claims nothing, plants a tombstone, so that a delayed claim is refused.
pub(crate) async fn close(
    conn: &mut PgConnection,
    order: OrderId,
    at: Timestamp,
) -> Result<Option<String>, InternalError> {
    if db::claims::close(conn, order, at).await? {
        return Ok(None);
    }
    release(conn, order, at).await
}

/// Gives back what an order claims and names the code, also where it was given back before. For orders that were
/// placed: their claim, if any, was made before.
pub(crate) async fn release(
    conn: &mut PgConnection,
    order: OrderId,
    at: Timestamp,
) -> Result<Option<String>, InternalError> {
    match db::claims::lock(conn, order).await? {
        Some(Claim::Claimed(stake)) => {
            db::claims::release(conn, order, at).await?;
            db::promos::uncount_claim(conn, &stake.code).await?;
            Ok(Some(stake.code))
        }
        Some(Claim::Released(stake)) => Ok(Some(stake.code)),
        Some(Claim::Closed) | None => Ok(None),
    }
}
