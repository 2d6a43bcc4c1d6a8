use kit::{InternalError, ServiceError};
use ledger::PostError;
use types::Money;

use super::publish_balance_changed::publish_balance_changed;
use crate::{
    GiftCards, convert,
    db::{accounts, holds, postings::post_movement},
    domain::hold::{HeldAmount, Hold, HoldError, HoldSnapshot, HoldValue, Movement},
};

#[derive(Debug, thiserror::Error)]
pub enum HoldValueError {
    #[error(transparent)]
    Rejected(#[from] HoldError),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(HoldValueError);

impl From<HoldValueError> for ServiceError {
    fn from(error: HoldValueError) -> Self {
        match error {
            HoldValueError::Rejected(error) => convert::hold_error(error),
            HoldValueError::Internal(error) => error.into(),
        }
    }
}

/// Holds an amount of a consumer's balance for an order. Idempotent by order id: an equal request returns the existing
/// hold, even after its capture.
///
/// # Errors
/// [`HoldError`] by its conditions.
pub async fn hold_value(cx: &GiftCards, command: HoldValue) -> Result<HoldSnapshot, HoldValueError> {
    if command.amount.minor_units() < 0 {
        return Err(HoldError::NegativeAmount.into());
    }
    let (order_id, at) = (command.order_id, cx.clock.now());
    let mut tx = cx.pool.begin().await?;
    let account = accounts::open_joepass(&mut tx, command.consumer_id, at)
        .await?
        .ok_or(HoldError::BalanceUnknown)?;
    let balance_id = accounts::balance_id(account);
    if command
        .balance_id
        .is_some_and(|requested| requested != balance_id)
    {
        return Err(HoldError::BalanceUnknown.into());
    }
    let held_amount = HeldAmount {
        balance_id,
        amount: command.amount,
        title: command.title,
    };
    let hold = Hold::Held(held_amount.clone());
    if !holds::insert(&mut tx, order_id, &hold, at).await? {
        let existing = holds::lock(&mut tx, order_id)
            .await?
            .ok_or_else(|| InternalError::invariant_violated("existing hold not found"))?;
        return Ok(HoldSnapshot {
            order_id,
            hold: require_equal(existing, &held_amount)?,
            available: accounts::available(&mut tx, account).await?,
        });
    }
    let posted = post_movement(&mut tx, order_id, &held_amount, Movement::Hold, at)
        .await
        .map_err(post_error)?;
    let available = match posted.and_then(|posted| posted.from) {
        Some(after) => {
            publish_balance_changed(&mut tx, command.consumer_id, balance_id, after, at).await?;
            Money::usd(after.balance)
        }
        None => accounts::available(&mut tx, account).await?,
    };
    tx.commit().await?;
    kit::fault_point::reach("value.held");
    Ok(HoldSnapshot {
        order_id,
        hold,
        available,
    })
}

/// Returns the existing hold if it is the requested one.
fn require_equal(existing: Hold, requested: &HeldAmount) -> Result<Hold, HoldError> {
    match &existing {
        Hold::Held(held_amount) | Hold::Captured(held_amount) => {
            if (held_amount.balance_id, held_amount.amount) == (requested.balance_id, requested.amount) {
                Ok(existing)
            } else {
                Err(HoldError::Mismatch)
            }
        }
        Hold::Released(_) | Hold::Refunded(_) | Hold::Closed => Err(HoldError::Closed),
    }
}

fn post_error(error: PostError) -> HoldValueError {
    match error {
        PostError::InsufficientBalance { available } => HoldError::InsufficientBalance {
            available: Money::usd(available),
        }
        .into(),
        other => InternalError::from(other).into(),
    }
}
