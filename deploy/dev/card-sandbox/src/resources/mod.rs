//! The operations of the API, one file per kind of object.

mod authentication;
pub mod authentication_result;
pub mod bank_debits;
pub mod charges;
pub mod customers;
pub mod disputes;
pub mod events;
mod instruments;
mod lookup;
pub mod payment_intents;
pub mod payment_methods;
pub mod refunds;
mod schedule;
pub mod setup_intents;
