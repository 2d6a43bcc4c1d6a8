//! SQL: free functions that take the caller's connection or transaction.

pub mod audit;
pub mod charge_events;
pub mod charge_pages;
pub mod charge_phone_hashes;
pub mod charge_times;
pub mod charges;
pub mod consumer_phones;
pub mod debt_recoveries;
pub mod debts;
pub mod disputes;
pub mod effects;
pub mod payment_methods;
pub mod provider_customers;
pub mod provider_events;
pub mod refunds;
pub mod setup_intents;

use std::fmt::Display;

use kit::InternalError;
use sqlx::postgres::PgQueryResult;

/// Fails unless a statement changed exactly one row.
fn require_one_row(changed: &PgQueryResult, row: impl Display) -> Result<(), InternalError> {
    match changed.rows_affected() {
        1 => Ok(()),
        count => Err(InternalError::invariant_violated(format!(
            "{count} rows changed instead of {row}"
        ))),
    }
}

/// Builds the error for a stored value that this version does not know.
fn unknown_value(column: &str, value: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("{column}: unknown value {value:?}").into())
}
