//! SQL: free functions that take the caller's connection or transaction.

pub mod audit;
pub mod charge_events;
pub mod charges;
pub mod debt_recoveries;
pub mod debts;
pub mod disputes;
pub mod effects;
pub mod payment_methods;
pub mod provider_customers;
pub mod provider_events;
pub mod refunds;
pub mod setup_intents;

/// Builds the error for a stored value that this version does not know.
fn unknown_value(column: &str, value: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("{column}: unknown value {value:?}").into())
}
