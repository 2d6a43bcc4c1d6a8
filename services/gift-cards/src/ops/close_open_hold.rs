use kit::InternalError;
use types::{Money, OrderId};

use super::close_hold::close_hold_in;
use crate::{
    GiftCards,
    db::holds,
    domain::hold::{Hold, HoldState},
};

#[derive(Debug, thiserror::Error)]
pub enum CloseOpenHoldError {
    #[error("the order has no hold")]
    NotFound,
    #[error("the hold is {} already", .0.as_str())]
    NotOpen(HoldState),
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(CloseOpenHoldError);

/// A hold that was closed by an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosedHold {
    /// What the order held, with the parts that were returned before.
    pub amount: Money,
    pub state: HoldState,
}

/// Returns the value of a hold that is held or captured by mistake, at the request of an operator.
///
/// # Errors
/// [`CloseOpenHoldError`]. Nothing is written then: a tombstone would prevent the hold of an order that is being placed.
pub async fn close_open_hold(cx: &GiftCards, order_id: OrderId) -> Result<ClosedHold, CloseOpenHoldError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let hold = holds::lock(&mut tx, order_id).await?;
    let amount = match hold.ok_or(CloseOpenHoldError::NotFound)? {
        Hold::Held(held) | Hold::Captured(held) => held.amount,
        closed => return Err(CloseOpenHoldError::NotOpen(closed.state())),
    };
    let state = close_hold_in(&mut tx, order_id, cx.clock.now()).await?.state();
    tx.commit().await?;
    tracing::warn!(%order_id, %amount, state = state.as_str(), "hold closed by an operator");
    Ok(ClosedHold { amount, state })
}
