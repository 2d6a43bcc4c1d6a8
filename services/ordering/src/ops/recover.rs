//! Takes over orders whose saga died or whose consumer never authenticated, and closes them.

use kit::{Code, Fault, Refusal};
use types::OrderId;

use crate::{
    Ordering,
    db::orders,
    ops::{abandon, close, confirm},
};

const BATCH: i64 = 20;

/// Closes what has no live holder; answers how many orders it took over. Taking over raises the epoch: a saga that was
/// only slow can write nothing any more, and what it asks for meets tombstones.
///
/// # Errors
/// The database's. An order that cannot be closed now is taken over again when this lease ends.
pub async fn recover(cx: &Ordering) -> Result<usize, Fault> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let taken = orders::claim_expired(&mut conn, now, now + cx.rules.saga(), BATCH).await?;
    drop(conn);
    for &order in &taken {
        if let Err(fault) = recover_one(cx, order).await {
            tracing::warn!(order_id = %order, error = %fault, "order not recovered yet");
        }
    }
    Ok(taken.len())
}

async fn recover_one(cx: &Ordering, order: OrderId) -> Result<(), Fault> {
    let mut conn = cx.pool.acquire().await?;
    let row = orders::find(&mut conn, order)
        .await?
        .ok_or_else(|| Fault::broken("an order vanished"))?;
    drop(conn);
    close::close(cx, order).await?;
    kit::fault_point::reach("recover.closed");
    let refusal = if row.client_secret.is_empty() {
        confirm::not_placed()
    } else {
        Refusal::new(
            Code::Conflict,
            "AUTHENTICATION_EXPIRED",
            "The payment was not confirmed in time. Nothing was charged.",
        )
    };
    abandon::abandon(cx, &row, &refusal).await
}
