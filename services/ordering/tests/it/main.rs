//! The ordering service on a real PostgreSQL: what is decided by the rows alone. The saga with its peers is tried in
//! `tests/system`, where the peers are real.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod carts;
mod constraints;
mod harness;
mod leases;
mod life;
mod payment_gone;
mod removal;
mod steps;
