//! Holds stored value for an order.

use kit::{ErrorCode, InternalError, ServiceError};
use ledger::PostError;
use types::{BalanceId, ConsumerId, Money, OrderId};

use super::books;
use crate::{
    GiftCards, db,
    domain::{Hold, Stake},
};

/// What ordering asks for.
#[derive(Debug, Clone)]
pub struct HoldValue {
    /// For which order.
    pub order: OrderId,
    /// Whose value.
    pub consumer: ConsumerId,
    /// Which balance; JoePass where none is named.
    pub balance: Option<BalanceId>,
    /// How much.
    pub amount: Money,
    /// What it is for, as the consumer reads it.
    pub title: String,
}

/// Why nothing is held.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// No such balance, or not this consumer's.
    #[error("balance unknown")]
    BalanceUnknown,
    /// There is less than that on it.
    #[error("insufficient balance")]
    Insufficient {
        /// What there is.
        available: Money,
    },
    /// What the order holds was given back, or it was closed before it held any.
    #[error("hold closed")]
    Closed,
    /// The order holds something else.
    #[error("another hold")]
    Mismatch,
    /// Less than nothing cannot be held.
    #[error("amount below zero")]
    AmountNegative,
    /// What is nobody's decision.
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(HoldError);

/// Holds so much of a consumer's balance for an order. Idempotent by order id: the same again is the same hold, also
/// once it is captured.
///
/// # Errors
/// [`HoldError`].
pub async fn hold_value(cx: &GiftCards, request: HoldValue) -> Result<(Hold, Money), HoldError> {
    if request.amount.minor_units() < 0 {
        return Err(HoldError::AmountNegative);
    }
    let at = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    let account = books::joepass(&mut tx, request.consumer, at)
        .await?
        .ok_or(HoldError::BalanceUnknown)?;
    let balance = books::balance_id(account);
    if request.balance.is_some_and(|named| named != balance) {
        return Err(HoldError::BalanceUnknown);
    }
    let stake = Stake {
        balance,
        amount: request.amount,
        title: request.title,
    };
    let hold = Hold::Held(stake.clone());
    if !db::holds::insert(&mut tx, request.order, &hold, at).await? {
        let hold = same(db::holds::lock(&mut tx, request.order).await?, &stake)?;
        let available = ledger::account::balance(&mut tx, account)
            .await?
            .unwrap_or_default();
        return Ok((hold, Money::usd(available)));
    }
    let side = match books::hold(&mut tx, request.order, &stake, at).await {
        Ok(side) => side,
        Err(PostError::Insufficient { available }) => {
            return Err(HoldError::Insufficient {
                available: Money::usd(available),
            });
        }
        Err(error) => return Err(books::fault(error).into()),
    };
    let available = match side {
        Some(side) => {
            books::announce(&mut tx, request.consumer.uuid(), balance, side, at).await?;
            side.balance
        }
        None => ledger::account::balance(&mut tx, account)
            .await?
            .unwrap_or_default(),
    };
    tx.commit().await?;
    kit::fault_point::reach("value.held");
    Ok((hold, Money::usd(available)))
}

/// The hold that stands, if it is the one asked for.
fn same(standing: Option<Hold>, stake: &Stake) -> Result<Hold, HoldError> {
    match standing {
        Some(hold @ (Hold::Held(_) | Hold::Captured(_))) => {
            let same = hold
                .stake()
                .is_some_and(|held| (held.balance, held.amount) == (stake.balance, stake.amount));
            if same { Ok(hold) } else { Err(HoldError::Mismatch) }
        }
        Some(Hold::Released(_) | Hold::Refunded(_) | Hold::Closed) => Err(HoldError::Closed),
        None => Err(InternalError::broken("a hold that was there is gone").into()),
    }
}

impl From<HoldError> for ServiceError {
    fn from(error: HoldError) -> Self {
        match error {
            HoldError::BalanceUnknown => Self::new(
                ErrorCode::NotFound,
                "BALANCE_UNKNOWN",
                "This balance is not one of yours.",
            )
            .with_field("balanceId"),
            HoldError::Insufficient { available } => Self::new(
                ErrorCode::RuleViolation,
                "INSUFFICIENT_BALANCE",
                format!("There is not enough on your JoePass: {available} is available."),
            )
            .with_field("paymentMethod")
            .with_data(serde_json::json!({ "available": available.minor_units() }).to_string()),
            HoldError::Closed => Self::new(
                ErrorCode::Conflict,
                "HOLD_CLOSED",
                "This order has ended. Please place it again.",
            ),
            HoldError::Mismatch => Self::new(
                ErrorCode::Conflict,
                "HOLD_MISMATCH",
                "This order holds another amount already.",
            ),
            HoldError::AmountNegative => Self::new(
                ErrorCode::RuleViolation,
                "AMOUNT_INVALID",
                "The amount must not be negative.",
            )
            .with_field("amount"),
            HoldError::Internal(fault) => fault.into(),
        }
    }
}
