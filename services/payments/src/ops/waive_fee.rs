use jiff::Timestamp;
use sqlx::PgConnection;
use types::DebtId;

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

/// Waives the penalty fee of an open debt, in the caller's transaction. Idempotent.
pub async fn waive_fee(conn: &mut PgConnection, id: DebtId, now: Timestamp) -> Result<(), WaiveFeeError> {
    let debt = debts::lock(conn, id).await?.ok_or(WaiveFeeError::NotFound)?;
    if debt.recovered_at.is_some() {
        return Err(WaiveFeeError::Recovered);
    }
    if debt_recoveries::find_in_flight(conn, id).await?.is_some() {
        return Err(WaiveFeeError::InFlight);
    }
    Ok(debts::waive_fee(conn, id, now).await?)
}
