//! Between the contract and the domain, every field named.

pub mod error;
pub mod event;
pub mod lines;
pub mod menu;
pub mod request;
pub mod store;

use jiff::Timestamp;
use proto::values::v1;
use types::Money;

/// An amount.
pub fn money(amount: Money) -> v1::Money {
    v1::Money {
        minor_units: amount.minor_units(),
        currency: amount.currency().code().to_owned(),
    }
}

/// An instant; empty for none.
pub fn instant(at: Option<Timestamp>) -> String {
    at.map(|at| at.to_string()).unwrap_or_default()
}
