//! The ledger accounts of points.

use jiff::Timestamp;
use ledger::{AccountId, Unit, account};
use sqlx::PgConnection;
use types::ConsumerId;

/// System account that gifts in development come from.
pub const DEVELOPMENT: AccountId = AccountId::fixed(1);
/// System account that the points for orders come from.
pub const EARNED: AccountId = AccountId::fixed(2);
/// System account of the points of removed consumers.
pub const CLOSED_ACCOUNTS: AccountId = AccountId::fixed(3);
/// System account that points for rewards go to.
pub const SPENT: AccountId = AccountId::fixed(4);

/// The kind of a consumer's account.
pub const POINTS: &str = "points";

/// Returns the consumer's account, or `None` if they never had points.
pub async fn find_points(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> sqlx::Result<Option<AccountId>> {
    account::find(conn, POINTS, consumer_id.uuid(), Unit::Points).await
}

/// Returns the consumer's account and opens it on first use. The caller has checked that the consumer is active.
pub async fn open_points(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    at: Timestamp,
) -> sqlx::Result<AccountId> {
    account::open(conn, POINTS, consumer_id.uuid(), Unit::Points, at).await
}
