//! The ledger accounts of stored value.

use std::collections::HashMap;

use jiff::Timestamp;
use ledger::{AccountId, Unit, account};
use sqlx::PgConnection;
use types::{BalanceId, ConsumerId, GiftCardId, Money};
use uuid::Uuid;

use super::consumers;

/// System account that gifts in development come from.
pub const DEVELOPMENT: AccountId = AccountId::fixed(1);
/// System account of the amounts held for orders that no store has accepted.
pub const IN_FLIGHT: AccountId = AccountId::fixed(2);
/// System account of the captured amounts.
pub const SALES: AccountId = AccountId::fixed(3);
/// System account of the balances of removed consumers.
pub const CLOSED_ACCOUNTS: AccountId = AccountId::fixed(4);

/// System account of the money that purchases of stored value brought.
pub const RECEIPTS: AccountId = AccountId::fixed(5);
/// System account that the bonuses of deals come from.
pub const PROMOTIONS: AccountId = AccountId::fixed(6);
/// System account of the refunds that the payment provider could not pay out.
pub const FAILED_REFUNDS: AccountId = AccountId::fixed(7);
/// System account that the value of physical cards comes from.
pub const PHYSICAL_CARDS: AccountId = AccountId::fixed(8);
/// System account for returned debits of which the value was already spent.
pub const RETURNED_DEBITS: AccountId = AccountId::fixed(9);

/// The kind of a consumer's JoePass account.
pub const JOEPASS: &str = "joepass";
/// The kind of a gift card's account. Its owner is the card.
pub const GIFT_CARD: &str = "gift_card";
/// The kind of a company card's account. Its owner is the card.
pub const COMPANY_CARD: &str = "company_card";

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

/// Returns the card's account and opens it on first use.
pub async fn open_card(
    conn: &mut PgConnection,
    kind: &str,
    card: GiftCardId,
    at: Timestamp,
) -> sqlx::Result<AccountId> {
    account::open(conn, kind, card.uuid(), Unit::Usd, at).await
}

/// Returns the consumer who can spend the balance, or `None` if no consumer can.
pub async fn consumer_of(conn: &mut PgConnection, balance_id: BalanceId) -> sqlx::Result<Option<ConsumerId>> {
    sqlx::query_scalar!(
        r#"SELECT coalesce(gift_card.consumer_id, company_card.consumer_id, account.owner) AS "consumer_id: ConsumerId"
           FROM ledger.accounts account
           LEFT JOIN gift_cards gift_card ON gift_card.balance_id = account.id
           LEFT JOIN company_cards company_card ON company_card.balance_id = account.id
           WHERE account.id = $1
             AND (account.kind = $2 OR coalesce(gift_card.consumer_id, company_card.consumer_id) IS NOT NULL)"#,
        balance_id.uuid(),
        JOEPASS,
    )
    .fetch_optional(conn)
    .await
    .map(Option::flatten)
}

/// Returns the amounts that can be spent, by balance.
pub async fn list_available(
    conn: &mut PgConnection,
    balance_ids: &[Uuid],
) -> sqlx::Result<HashMap<BalanceId, Money>> {
    let rows = sqlx::query!(
        r#"SELECT account_id AS "balance_id: BalanceId", balance FROM ledger.balances WHERE account_id = ANY($1)"#,
        balance_ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.balance_id, Money::usd(row.balance)))
        .collect())
}

/// Returns the amount that can be spent.
pub async fn available(conn: &mut PgConnection, account: AccountId) -> sqlx::Result<Money> {
    let balance = account::balance(conn, account).await?;
    Ok(Money::usd(balance.unwrap_or_default()))
}
