//! Claims a promo for an order.

use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError};
use sqlx::PgConnection;
use types::{ConsumerId, Money, OrderId};

use crate::{
    Rewards, db,
    domain::{Claim, Discount, Promo, Stake, Verdict},
};

/// What ordering asks for.
#[derive(Debug, Clone)]
pub struct ClaimDiscount {
    /// For which order.
    pub order: OrderId,
    /// Whose.
    pub consumer: ConsumerId,
    /// The code as the consumer typed it.
    pub code: String,
    /// What it is to be taken off.
    pub subtotal: Money,
}

/// Why the order claims nothing, other than that the code does not hold.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// The claim was given back, or the order was closed before it had one.
    #[error("claim closed")]
    Closed,
    /// The order claims something else.
    #[error("another claim")]
    Mismatch,
    /// What is nobody's decision.
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(ClaimError);

/// Claims a code for an order. Idempotent by order id: the same again is the same claim, whatever has become of the
/// code since. A code that can be used once is claimed once, whoever comes first.
///
/// # Errors
/// [`ClaimError`]; a code that does not hold is an answer.
pub async fn claim_discount(cx: &Rewards, request: ClaimDiscount) -> Result<Discount, ClaimError> {
    let code = Promo::normalize(&request.code);
    let at = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    let Some(promo) = db::promos::find(&mut tx, &code).await? else {
        return Ok(Discount {
            code,
            kind: "",
            off: Err(Verdict::Unknown),
        });
    };
    let off = match standing(&mut tx, &request, &code).await? {
        Some(amount) => Ok(amount),
        None => claim(&mut tx, &request, &promo, at).await?,
    };
    if off.is_ok() {
        tx.commit().await?;
        kit::fault_point::reach("discount.claimed");
    }
    Ok(Discount {
        code,
        kind: promo.off.kind(),
        off,
    })
}

/// What the order claims already, if that is what is asked for.
async fn standing(
    conn: &mut PgConnection,
    request: &ClaimDiscount,
    code: &str,
) -> Result<Option<Money>, ClaimError> {
    match db::claims::lock(conn, request.order).await? {
        None => Ok(None),
        Some(Claim::Claimed(stake)) => {
            let asked = (code, Some(request.consumer), request.subtotal);
            let same = (stake.code.as_str(), stake.consumer, stake.subtotal) == asked;
            if same {
                Ok(Some(stake.amount))
            } else {
                Err(ClaimError::Mismatch)
            }
        }
        Some(Claim::Released(_) | Claim::Closed) => Err(ClaimError::Closed),
    }
}

async fn claim(
    conn: &mut PgConnection,
    request: &ClaimDiscount,
    promo: &Promo,
    at: Timestamp,
) -> Result<Result<Money, Verdict>, ClaimError> {
    let amount = match promo.discount(request.subtotal, at) {
        Ok(amount) => amount,
        Err(verdict) => return Ok(Err(verdict)),
    };
    let Some(entered) = db::consumers::enter(conn, request.consumer).await? else {
        return Ok(Err(Verdict::Unknown));
    };
    let stake = Stake {
        code: promo.code.clone(),
        consumer: Some(request.consumer),
        subtotal: request.subtotal,
        amount,
    };
    let phone_hash = entered.phone_hash.as_deref();
    if !db::claims::insert(conn, request.order, &stake, promo.once, phone_hash, at).await? {
        // The same order's own claim came first, or another order's on a code that can be used once.
        return Ok(standing(conn, request, &promo.code).await?.ok_or(Verdict::Used));
    }
    if promo.limited && !db::promos::count_claim(conn, &promo.code).await? {
        return Ok(Err(Verdict::Expired));
    }
    Ok(Ok(amount))
}

impl From<ClaimError> for ServiceError {
    fn from(error: ClaimError) -> Self {
        match error {
            ClaimError::Closed => Self::new(
                ErrorCode::Conflict,
                "CLAIM_CLOSED",
                "This order has ended. Please place it again.",
            ),
            ClaimError::Mismatch => Self::new(
                ErrorCode::Conflict,
                "CLAIM_MISMATCH",
                "This order uses another promo code already.",
            ),
            ClaimError::Internal(fault) => fault.into(),
        }
    }
}
