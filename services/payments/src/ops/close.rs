//! Makes sure that an order has no charge and never gets one.

use types::OrderId;

use super::want::want;
use crate::Payments;
use crate::domain::charge::{Charge, Wanted};

/// Closes an order's charge: what is held is let go, what was taken is given back, and one that comes late is refused.
/// Once this returns it will happen; a worker carries it out. Idempotent.
///
/// # Errors
/// The database's.
pub async fn close(cx: &Payments, order: OrderId) -> Result<Charge, kit::InternalError> {
    let mut tx = cx.pool.begin().await?;
    let closed = want(&mut tx, order, Wanted::Release, cx.clock.now()).await?;
    tx.commit().await?;
    cx.effects_planned();
    closed.ok_or_else(|| kit::InternalError::broken("a tombstone was written and is not there"))
}
