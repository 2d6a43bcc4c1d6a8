use kit::InternalError;
use types::{Money, OrderId};

use super::close_hold::{amount_not_refunded, close_hold_in};
use crate::{
    GiftCards,
    db::holds,
    domain::hold::{Hold, HoldState},
};

#[derive(Debug, thiserror::Error)]
pub enum CloseHoldByOperatorError {
    #[error("the order has no hold")]
    NotFound,
    #[error("the hold is {} already", .0.as_str())]
    NotOpen(HoldState),
    /// The id may be that of another order.
    #[error("the amount of the hold is {amount}, not {expected}")]
    AmountMismatch { amount: Money, expected: Money },
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(CloseHoldByOperatorError);

/// A hold that was closed by an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosedHold {
    /// The amount that was returned, without the parts that were refunded before.
    pub returned: Money,
    pub state: HoldState,
}

/// Returns the value of a hold that is held or captured by mistake, at the request of an operator. `expected` is the amount of the
/// hold, with the parts that were refunded before.
///
/// # Errors
/// [`CloseHoldByOperatorError`]. Nothing is written then: a tombstone would prevent the hold of an order that is being placed.
pub async fn close_hold_by_operator(
    cx: &GiftCards,
    order_id: OrderId,
    expected: Money,
) -> Result<ClosedHold, CloseHoldByOperatorError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let hold = holds::lock(&mut tx, order_id).await?;
    let held_amount = match hold.ok_or(CloseHoldByOperatorError::NotFound)? {
        Hold::Held(held) | Hold::Captured(held) => held,
        closed => return Err(CloseHoldByOperatorError::NotOpen(closed.state())),
    };
    if held_amount.amount != expected {
        let amount = held_amount.amount;
        return Err(CloseHoldByOperatorError::AmountMismatch { amount, expected });
    }
    let returned = amount_not_refunded(&mut tx, order_id, &held_amount).await?;
    let state = close_hold_in(&mut tx, order_id, cx.clock.now()).await?.state();
    tx.commit().await?;
    tracing::warn!(%order_id, %returned, state = state.as_str(), "hold closed by an operator");
    Ok(ClosedHold { returned, state })
}
