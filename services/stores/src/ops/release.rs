//! Gives an order's make-minutes back.

use jiff::Timestamp;
use kit::InternalError;
use sqlx::PgConnection;
use types::OrderId;

use crate::{Stores, db};

/// Gives an order's minutes back, or makes sure that none can be reserved any more. Idempotent. Says whether there were
/// minutes to give back.
///
/// # Errors
/// The database's.
#[tracing::instrument(skip_all, fields(order_id = %order))]
pub async fn release(tx: &mut PgConnection, order: OrderId, now: Timestamp) -> Result<bool, sqlx::Error> {
    db::capacity::release(tx, order, now).await
}

/// The same, in a transaction of its own.
///
/// # Errors
/// The database's.
pub async fn release_now(cx: &Stores, order: OrderId) -> Result<bool, InternalError> {
    let mut tx = cx.pool.begin().await?;
    let released = release(&mut tx, order, cx.clock.now()).await?;
    tx.commit().await?;
    Ok(released)
}
