//! Double-entry postings over Postgres, for cents and for points.
//!
//! Every amount moves by a [`Posting`] between two [accounts](account). An account with an owner has a balance that
//! is updated in the statement of its posting and guarded; system accounts have none, so that no order waits for
//! another. A hold is a posting to an in-flight account. Every function takes the caller's connection: what the
//! ledger writes commits, or does not, together with what it stands for.
//!
//! Transactions run at READ COMMITTED, Postgres' default. One that posts for several owners should do so in
//! ascending order of account, as [`post`] itself does for the two that it touches.

pub mod account;
mod audit;
mod line;
mod post;
mod watch;

pub use account::{AccountId, Unit};
pub use audit::{Audit, Fault, audit};
pub use line::{Line, lines};
pub use post::{Overdraft, PostError, Posted, Posting, Side, post};
pub use watch::watch;

/// Makes the ledger's schema. A service runs it before its own migrations.
pub static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!();
