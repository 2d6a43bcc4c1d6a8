use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::OrderId;

use super::reward_points;
use crate::{
    Rewards,
    db::{claims, promos},
    domain::claim::Claim,
};

/// Releases the order's claim and returns whether it had one, or prevents a later claim. Idempotent.
pub async fn close_claim(cx: &Rewards, order_id: OrderId) -> Result<bool, InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let released = close_claim_in(&mut tx, order_id, cx.clock.now()).await?;
    tx.commit().await?;
    kit::fault_point::reach("claim.closed");
    Ok(released)
}

/// Closes the claim in the caller's transaction. If the order has none, writes a tombstone, so that a delayed request
/// to claim fails.
pub(crate) async fn close_claim_in(
    conn: &mut PgConnection,
    order_id: OrderId,
    at: Timestamp,
) -> Result<bool, InternalError> {
    if claims::insert_closed(conn, order_id, at).await? {
        return Ok(false);
    }
    Ok(release_claim(conn, order_id, at).await?.is_some())
}

/// Releases the order's claim and returns its code, even if it was already released. Writes no tombstone: call it only
/// for placed orders, because placing an order makes its claim.
pub(crate) async fn release_claim(
    conn: &mut PgConnection,
    order_id: OrderId,
    at: Timestamp,
) -> Result<Option<String>, InternalError> {
    match claims::lock(conn, order_id).await? {
        Some(Claim::Claimed(discount)) => {
            promos::lock_limit(conn, &discount.code).await?;
            claims::release(conn, order_id, at).await?;
            promos::decrement_claim_count(conn, &discount.code).await?;
            reward_points::give_back(conn, order_id, &discount, at).await?;
            Ok(Some(discount.code))
        }
        Some(Claim::Released(discount)) => Ok(Some(discount.code)),
        Some(Claim::Closed) | None => Ok(None),
    }
}
