//! Releases the capacity of an order.

use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::OrderId;

use crate::{Stores, db};

/// Releases the capacity of an order, or prevents a later reservation. Idempotent. Returns whether capacity was reserved.
pub async fn release_capacity(cx: &Stores, order_id: OrderId) -> Result<bool, InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let released = release_capacity_in(&mut tx, order_id, cx.clock.now()).await?;
    tx.commit().await?;
    kit::fault_point::reach("capacity.released");
    Ok(released)
}

/// Releases the capacity in the caller's transaction; see [`release_capacity`].
#[tracing::instrument(skip_all, fields(order_id = %order_id))]
pub(crate) async fn release_capacity_in(
    tx: &mut PgConnection,
    order_id: OrderId,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    db::capacity::release(tx, order_id, now).await
}
