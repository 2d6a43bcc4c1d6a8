//! Double-entry ledger on Postgres, for cents and for points.
//!
//! A [`Posting`] moves an amount between two [accounts](account). An account with an owner has a balance, which the
//! posting's statement updates; spending cannot overdraw it. System accounts have no balance row, so that concurrent
//! orders do not wait for each other. A hold is a posting to an in-flight account. Every function takes the caller's
//! connection, so that a posting commits together with the change it belongs to.
//!
//! Transactions run at READ COMMITTED, the default of Postgres. A transaction that posts for several owners must post
//! in ascending order of account id, as [`post`] does for its two accounts; otherwise two transactions can deadlock.

pub mod account;
mod audit;
pub mod audit_worker;
mod close_account;
mod posting;
mod statement;

pub use account::{AccountId, Unit};
pub use audit::{
    Audit, AuditFinding, AuditRules, HoldRules, LiveHold, LiveHoldsFuture, audit, audit_all, audit_new,
};
pub use close_account::close_account;
pub use posting::{BalanceAfter, Overdraft, PostError, Posted, Posting, post};
pub use statement::{StatementLine, combined_statement, statement};

/// Creates the schema `ledger`. A service runs it before its own migrations.
pub static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!();
