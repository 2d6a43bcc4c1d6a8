//! SQL: free functions that take the caller's connection or transaction.

pub mod carts;
pub(crate) mod clock;
pub mod debt_checks;
pub mod history;
pub mod leases;
pub mod money_audit;
pub mod order_feedback;
pub mod order_moves;
pub mod order_refunds;
pub mod orders;
pub mod payment_losses;
pub mod ready_times;
pub mod removed_consumers;
pub mod steps;
pub mod summaries;
pub mod user_feedback;

use std::{error::Error, str::FromStr};

/// Parses a text column, as the row's decoding would.
fn parse_column<T>(column: &str, text: &str) -> Result<T, sqlx::Error>
where
    T: FromStr,
    T::Err: Error + Send + Sync + 'static,
{
    text.parse().map_err(|error| column_error(column, error))
}

fn column_error(column: &str, error: impl Error + Send + Sync + 'static) -> sqlx::Error {
    sqlx::Error::ColumnDecode {
        index: column.to_owned(),
        source: Box::new(error),
    }
}
