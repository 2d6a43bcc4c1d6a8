//! The service on a real database, spoken to in its own verbs.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a harness says what went wrong by panicking, as tests do"
)]

mod constraints;
mod harness;
mod import;
mod lines;
mod menus;
mod minutes;
mod orders_over;
mod people;
mod places;
mod scans;
mod served;
mod turns;
