//! Checks that a consumer owes nothing.

use std::time::Duration;

use kit::{ErrorCode, InternalError};
use types::ConsumerId;

use super::PlaceOrderError;
use crate::{Ordering, db::debt_checks};

/// Payments is asked again after this time, in case the announcement of a debt was lost.
const CLEAR_FOR: Duration = Duration::from_hours(7 * 24);

/// Rejects the order of a consumer who owes a returned payment, whatever it would be paid with. Payments is asked only if it may have
/// announced a debt, see `docs/decisions/0058-known-debts.md`. While it is unavailable, accepts the order: payments checks again at
/// the charge, and stored value is prepaid.
///
/// # Errors
/// `FAILED_ACH_PAYMENTS`.
pub(super) async fn check_debts(cx: &Ordering, consumer_id: ConsumerId) -> Result<(), PlaceOrderError> {
    match has_debts(cx, consumer_id).await {
        Ok(false) => Ok(()),
        Ok(true) => Err(PlaceOrderError::rejected(
            ErrorCode::Forbidden,
            "FAILED_ACH_PAYMENTS",
            "You have failed payment",
        )),
        Err(error @ InternalError::Call(_)) => {
            tracing::warn!(%error, "debts not checked");
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

async fn has_debts(cx: &Ordering, consumer_id: ConsumerId) -> Result<bool, InternalError> {
    let known = debt_checks::find(&mut *cx.pool.acquire().await?, consumer_id).await?;
    if known.is_clear {
        return Ok(false);
    }
    let has_debts = cx.clients.payments.has_debts(consumer_id).await?;
    if !has_debts {
        let mut conn = cx.pool.acquire().await?;
        debt_checks::record_clear(&mut conn, consumer_id, known.announced_debts, CLEAR_FOR).await?;
    }
    Ok(has_debts)
}
