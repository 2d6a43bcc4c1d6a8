use kit::{ErrorCode, InternalError, ServiceError};
use sqlx::PgConnection;
use types::Money;

use super::reward_points;
use crate::{
    Rewards,
    db::{claims, consumers, order_points, promos},
    domain::{
        claim::{Claim, ClaimDiscount, ClaimedDiscount},
        promo::{Discount, OrderContext, Promo},
        promo_error::PromoError,
    },
};

#[derive(Debug, thiserror::Error)]
pub enum ClaimDiscountError {
    /// The claim was released, or closed before it was created.
    #[error("claim closed")]
    Closed,
    /// The order has a claim with a different code, consumer or subtotal.
    #[error("order has a different claim")]
    Mismatch,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(ClaimDiscountError);

impl From<ClaimDiscountError> for ServiceError {
    fn from(error: ClaimDiscountError) -> Self {
        match error {
            ClaimDiscountError::Closed => Self::new(
                ErrorCode::Conflict,
                "CLAIM_CLOSED",
                "This order didn't go through. Please place it again.",
            ),
            ClaimDiscountError::Mismatch => Self::new(
                ErrorCode::Conflict,
                "CLAIM_MISMATCH",
                "The promo code or total of this order changed. Please place it again.",
            ),
            ClaimDiscountError::Internal(error) => error.into(),
        }
    }
}

/// Claims a promo code for an order. Idempotent by order id: an equal request returns the existing claim, even if the
/// code has expired since. Concurrent orders of a consumer cannot exceed the number of claims that the code allows them.
///
/// A code that does not apply is not an error; the reason is in [`Discount::amount`].
///
/// # Errors
/// - [`ClaimDiscountError::Closed`] if the order's claim was released or closed.
/// - [`ClaimDiscountError::Mismatch`] if the order has a different claim.
pub async fn claim_discount(cx: &Rewards, command: ClaimDiscount) -> Result<Discount, ClaimDiscountError> {
    let code = Promo::normalize_code(&command.code);
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let Some(promo) = promos::find(&mut tx, &code).await? else {
        return Ok(Discount::unknown_code(code));
    };
    let order = command.place.at(cx.clock.now(), &cx.default_time_zone);
    let amount = match existing_claim(&mut tx, &command, &code).await? {
        Some(amount) => Ok(amount),
        None => claim(&mut tx, &command, &promo, order).await?,
    };
    if amount.is_ok() {
        tx.commit().await?;
        kit::fault_point::reach("discount.claimed");
    }
    Ok(Discount {
        code,
        rule: Some(promo.rule),
        amount,
    })
}

/// Returns the amount of the order's claim, or `None` if it has none.
async fn existing_claim(
    conn: &mut PgConnection,
    command: &ClaimDiscount,
    code: &str,
) -> Result<Option<Money>, ClaimDiscountError> {
    match claims::lock(conn, command.order_id).await? {
        None => Ok(None),
        Some(Claim::Claimed(discount)) => {
            let requested = (code, Some(command.consumer_id), command.subtotal);
            if (discount.code.as_str(), discount.consumer_id, discount.subtotal) == requested {
                Ok(Some(discount.amount))
            } else {
                Err(ClaimDiscountError::Mismatch)
            }
        }
        Some(Claim::Released(_) | Claim::Closed) => Err(ClaimDiscountError::Closed),
    }
}

async fn claim(
    conn: &mut PgConnection,
    command: &ClaimDiscount,
    promo: &Promo,
    order: OrderContext,
) -> Result<Result<Money, PromoError>, ClaimDiscountError> {
    let amount = match promo.discount(command.subtotal, order) {
        Ok(amount) => amount,
        Err(error) => return Ok(Err(error)),
    };
    let Some(consumer) = consumers::ensure_active(conn, command.consumer_id).await? else {
        return Ok(Err(PromoError::Unknown));
    };
    if promo.is_first_app_order && order_points::has_app_order(conn, command.consumer_id).await? {
        return Ok(Err(PromoError::NotFirstAppOrder));
    }
    let discount = ClaimedDiscount {
        code: promo.code.clone(),
        consumer_id: Some(command.consumer_id),
        subtotal: command.subtotal,
        amount,
        points: promo.reward_points,
    };
    let phone_hash = consumer.phone_hash.as_deref();
    if let Some(max_claims) = promo.max_claims_per_consumer {
        claims::lock_uses(conn, &promo.code, command.consumer_id, phone_hash).await?;
        // A concurrent request may have made the claim of this order.
        if let Some(amount) = existing_claim(conn, command, &promo.code).await? {
            return Ok(Ok(amount));
        }
        if claims::count_uses(conn, &promo.code, command.consumer_id).await? >= max_claims {
            return Ok(Err(PromoError::Used { max_claims }));
        }
    }
    let once = promo.once_per_consumer;
    if !claims::insert(conn, command.order_id, &discount, once, phone_hash, order.now).await? {
        // A concurrent request claimed the code: for this order, or for another one if the code is allowed once.
        let existing = existing_claim(conn, command, &promo.code).await?;
        return Ok(existing.ok_or(PromoError::Used { max_claims: 1 }));
    }
    if !promos::count_claim(conn, &promo.code).await? {
        return Ok(Err(PromoError::Expired));
    }
    if let Some(points) = promo.reward_points
        && !reward_points::spend(conn, command.consumer_id, command.order_id, points, order.now).await?
    {
        return Ok(Err(PromoError::NotEnoughPoints));
    }
    Ok(Ok(amount))
}
