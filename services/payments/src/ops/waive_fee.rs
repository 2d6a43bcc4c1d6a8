use jiff::Timestamp;
use sqlx::PgConnection;
use types::{DebtId, Money};

use crate::db::{debt_recoveries, debts};

#[derive(Debug, thiserror::Error)]
pub enum WaiveFeeError {
    #[error("there is no such debt")]
    NotFound,
    #[error("the debt was paid")]
    Recovered,
    /// The amount of the payment is fixed.
    #[error("the debt is being paid; try again when the payment has ended")]
    InFlight,
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(WaiveFeeError);

/// What is left of the debt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaivedFee {
    AmountOwed,
    /// The amount is too small for a card.
    WrittenOff,
}

/// Waives the penalty fee of an open debt, in the caller's transaction. Writes the debt off if no card can pay the amount. Idempotent.
pub async fn waive_fee(
    conn: &mut PgConnection,
    id: DebtId,
    now: Timestamp,
) -> Result<WaivedFee, WaiveFeeError> {
    let mut debt = debts::lock(conn, id).await?.ok_or(WaiveFeeError::NotFound)?;
    if debt.written_off_at.is_some() {
        return Ok(WaivedFee::WrittenOff);
    }
    if debt.recovered_at.is_some() {
        return Err(WaiveFeeError::Recovered);
    }
    if debt_recoveries::find_in_flight(conn, id).await?.is_some() {
        return Err(WaiveFeeError::InFlight);
    }
    debts::waive_fee(conn, id, now).await?;
    debt.penalty_fee = Money::new(0, debt.amount.currency());
    if !debt.is_too_small() {
        return Ok(WaivedFee::AmountOwed);
    }
    debts::write_off(conn, id, now).await?;
    let amount = debt.amount.minor_units();
    tracing::warn!(debt_id = %id, amount, "debt written off: too small for a card");
    Ok(WaivedFee::WrittenOff)
}
