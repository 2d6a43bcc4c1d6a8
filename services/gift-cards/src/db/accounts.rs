//! The ledger accounts of stored value.

use jiff::Timestamp;
use ledger::{AccountId, Unit, account};
use sqlx::PgConnection;
use types::{BalanceId, ConsumerId, Money};

use super::consumers;

/// System account that gifts in development come from.
pub const DEVELOPMENT: AccountId = AccountId::fixed(1);
/// System account of the amounts held for orders that no store has accepted.
pub const IN_FLIGHT: AccountId = AccountId::fixed(2);
/// System account of the captured amounts.
pub const SALES: AccountId = AccountId::fixed(3);
/// System account of the balances of removed consumers.
pub const CLOSED_ACCOUNTS: AccountId = AccountId::fixed(4);

/// The kind of a consumer's JoePass account.
pub const JOEPASS: &str = "joepass";

/// A balance has the id of its account.
pub const fn balance_id(account: AccountId) -> BalanceId {
    BalanceId::from_uuid(account.uuid())
}

pub fn account_id(balance_id: BalanceId) -> AccountId {
    AccountId::from(balance_id.uuid())
}

/// Returns the consumer's JoePass account, or `None` if it was never opened or the consumer was removed.
pub async fn find_joepass(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> sqlx::Result<Option<AccountId>> {
    account::find(conn, JOEPASS, consumer_id.uuid(), Unit::Usd).await
}

/// Returns the consumer's JoePass account and opens it on first use. `None` if the consumer was removed.
pub async fn open_joepass(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    at: Timestamp,
) -> sqlx::Result<Option<AccountId>> {
    // An account with this owner proves that the consumer is active: removal reassigns it.
    if let Some(account) = find_joepass(conn, consumer_id).await? {
        return Ok(Some(account));
    }
    if !consumers::ensure_active(conn, consumer_id).await? {
        return Ok(None);
    }
    account::open(conn, JOEPASS, consumer_id.uuid(), Unit::Usd, at)
        .await
        .map(Some)
}

/// Returns the amount that can be spent.
pub async fn available(conn: &mut PgConnection, account: AccountId) -> sqlx::Result<Money> {
    let balance = account::balance(conn, account).await?;
    Ok(Money::usd(balance.unwrap_or_default()))
}
