//! SQL: free functions that take the caller's connection or transaction.

pub mod charges;
pub mod customers;
pub mod effects;
pub mod methods;
pub mod provider_events;

/// A value in the database that this program does not know.
fn unreadable(column: &str, value: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("{column}: unknown value {value:?}").into())
}
