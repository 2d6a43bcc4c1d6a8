//! The accounts of points.

use jiff::Timestamp;
use kit::InternalError;
use ledger::{AccountId, PostError, Unit};
use sqlx::PgConnection;
use types::ConsumerId;

/// Where development's gifts come from.
pub const DEVELOPMENT: AccountId = AccountId::fixed(1);
/// Where the points that orders earn come from.
pub const EARNED: AccountId = AccountId::fixed(2);
/// What consumers who were removed left behind.
pub const DEPARTED: AccountId = AccountId::fixed(3);

/// The kind of a consumer's account.
pub const POINTS: &str = "points";

/// A consumer's account, if they ever had points.
pub async fn find(conn: &mut PgConnection, consumer: ConsumerId) -> sqlx::Result<Option<AccountId>> {
    ledger::account::find(conn, POINTS, consumer.uuid(), Unit::Points).await
}

/// A consumer's account, opened on first use. The caller has entered them.
pub async fn open(conn: &mut PgConnection, consumer: ConsumerId, at: Timestamp) -> sqlx::Result<AccountId> {
    ledger::account::open(conn, POINTS, consumer.uuid(), Unit::Points, at).await
}

/// A posting that fails for no reason of the consumer's.
pub fn fault(error: PostError) -> InternalError {
    match error {
        PostError::Database(error) => error.into(),
        other => InternalError::broken(format!("ledger: {other}")),
    }
}
