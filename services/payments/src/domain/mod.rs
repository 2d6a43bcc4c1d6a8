//! What is true of money whatever the database or the provider: no I/O.

pub mod charge;
pub mod decline;
pub mod method;
