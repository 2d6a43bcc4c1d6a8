use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError, outbox};
use ledger::{BalanceAfter, PostError};
use sqlx::PgConnection;
use types::{BalanceId, Money};

use super::{publish_balance_changed::publish_balance_changed, wallet::list_sources};
use crate::{
    GiftCards, convert,
    db::{
        accounts::{self, account_id},
        consumers, holds, order_refunds,
        postings::post_part_refund,
    },
    domain::hold::{Hold, HoldSnapshot, RefundHold},
};

#[derive(Debug, thiserror::Error)]
pub enum RefundHoldError {
    #[error("the order has no captured hold")]
    NotCaptured,
    #[error("the amount is not positive, or greater than the part that was not refunded")]
    AmountInvalid,
    #[error("the refund exists with another amount")]
    Mismatch,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(RefundHoldError);

impl From<PostError> for RefundHoldError {
    fn from(error: PostError) -> Self {
        Self::Internal(error.into())
    }
}

impl From<RefundHoldError> for ServiceError {
    fn from(error: RefundHoldError) -> Self {
        match error {
            RefundHoldError::NotCaptured => Self::new(
                ErrorCode::Conflict,
                "HOLD_NOT_REFUNDABLE",
                "This payment can't be refunded.",
            ),
            RefundHoldError::AmountInvalid => Self::new(
                ErrorCode::RuleViolation,
                "REFUND_TOO_LARGE",
                "The refund is larger than the payment.",
            )
            .with_field("amount"),
            RefundHoldError::Mismatch => Self::new(
                ErrorCode::Conflict,
                "REFUND_MISMATCH",
                "This refund already exists with another amount.",
            ),
            RefundHoldError::Internal(error) => error.into(),
        }
    }
}

/// Returns a part of the captured value of an order to its balance. Idempotent by order and refund id.
pub async fn refund_hold(cx: &GiftCards, command: RefundHold) -> Result<HoldSnapshot, RefundHoldError> {
    let RefundHold {
        order_id,
        ref refund_id,
        amount,
    } = command;
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let hold = holds::lock(&mut tx, order_id)
        .await?
        .ok_or(RefundHoldError::NotCaptured)?;
    let (Hold::Captured(held) | Hold::Refunded(held)) = &hold else {
        return Err(RefundHoldError::NotCaptured);
    };
    let account = account_id(held.balance_id);
    let available = match order_refunds::find_amount(&mut tx, order_id, refund_id).await? {
        Some(known) if known != amount => return Err(RefundHoldError::Mismatch),
        Some(_) => accounts::available(&mut tx, account).await?,
        None if matches!(hold, Hold::Refunded(_)) => return Err(RefundHoldError::NotCaptured),
        None => {
            let rest = held.amount.minor_units() - order_refunds::total_cents(&mut tx, order_id).await?;
            if !amount.is_positive() || amount.minor_units() > rest {
                return Err(RefundHoldError::AmountInvalid);
            }
            order_refunds::insert(&mut tx, order_id, refund_id, amount, now).await?;
            let posted = post_part_refund(&mut tx, order_id, refund_id, held, amount, now).await?;
            if let Some(after) = posted.to {
                publish(&mut tx, &command, held.balance_id, after, now).await?;
            }
            posted.to.map_or(Money::ZERO, |after| Money::usd(after.balance))
        }
    };
    tx.commit().await?;
    Ok(HoldSnapshot {
        order_id,
        hold,
        available,
    })
}

/// Publishes the refund, unless the consumer was removed.
async fn publish(
    conn: &mut PgConnection,
    refund: &RefundHold,
    balance_id: BalanceId,
    after: BalanceAfter,
    now: Timestamp,
) -> Result<(), InternalError> {
    let Some(consumer_id) = accounts::consumer_of(conn, balance_id).await? else {
        return Ok(());
    };
    if !consumers::is_active(conn, consumer_id).await? {
        return Ok(());
    }
    publish_balance_changed(conn, consumer_id, balance_id, after, now).await?;
    let sources = list_sources(conn, consumer_id).await?;
    let source = sources.into_iter().find(|(id, _)| *id == balance_id);
    let name = source.map(|(_, source)| source.name()).unwrap_or_default();
    let event = convert::hold_refunded(refund, name, consumer_id, balance_id, after, now);
    Ok(outbox::append(conn, event).await?)
}
