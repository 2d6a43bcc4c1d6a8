//! The ledger on a real PostgreSQL.

mod books;
mod model;
mod posting;
mod spenders;
