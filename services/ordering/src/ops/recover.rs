//! Takes over orders whose saga died or whose consumer never authenticated, and closes them.

use kit::{ErrorCode, InternalError, ServiceError};

use crate::{
    Ordering,
    db::{
        leases::{self, Taken},
        orders,
    },
    ops::{abandon, close, confirm},
};

const BATCH: i64 = 20;

/// Closes what has no live holder; answers how many orders it took over. Taking over raises the epoch: a saga that was
/// only slow can write nothing any more, and what it asks for meets tombstones.
///
/// # Errors
/// The database's. An order that cannot be closed now is taken over again when this lease ends.
pub async fn recover(cx: &Ordering) -> Result<usize, InternalError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let all = leases::claim_expired(&mut conn, now, now + cx.rules.saga(), BATCH).await?;
    drop(conn);
    for taken in &all {
        if let Err(fault) = recover_one(cx, taken).await {
            tracing::warn!(order_id = %taken.order, error = %fault, "order not recovered yet");
        }
    }
    Ok(all.len())
}

async fn recover_one(cx: &Ordering, taken: &Taken) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let row = orders::find(&mut conn, taken.order)
        .await?
        .filter(|row| row.epoch == taken.epoch);
    drop(conn);
    let Some(row) = row else {
        tracing::debug!(order_id = %taken.order, "another recovery has the order by now");
        return Ok(());
    };
    close::close(cx, taken.order).await?;
    kit::fault_point::reach("recover.closed");
    let refusal = if taken.client_secret.is_empty() {
        confirm::not_placed()
    } else {
        ServiceError::new(
            ErrorCode::Conflict,
            "AUTHENTICATION_EXPIRED",
            "The payment was not confirmed in time. Nothing was charged.",
        )
    };
    abandon::abandon(cx, &row, &refusal).await.map(drop)
}
