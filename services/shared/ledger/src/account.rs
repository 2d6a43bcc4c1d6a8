//! Ledger accounts and their balances.

use std::fmt;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::BalanceId;
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct AccountId(Uuid);

impl AccountId {
    /// Returns the id of a system account, which a migration of the service inserts.
    #[must_use]
    pub const fn fixed(number: u128) -> Self {
        Self(Uuid::from_u128(number))
    }

    #[must_use]
    pub const fn uuid(self) -> Uuid {
        self.0
    }
}

impl From<Uuid> for AccountId {
    fn from(id: Uuid) -> Self {
        Self(id)
    }
}

impl From<AccountId> for Uuid {
    fn from(id: AccountId) -> Self {
        id.0
    }
}

/// The unit of an account's amounts. A posting never mixes units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// US cents.
    Usd,
    /// Reward points.
    Points,
}

impl Unit {
    /// Returns the value of the `unit` columns.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Usd => "usd",
            Self::Points => "points",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}

/// Returns the owner's account of this kind and unit, if it exists.
pub async fn find(
    conn: &mut PgConnection,
    kind: &str,
    owner: Uuid,
    unit: Unit,
) -> sqlx::Result<Option<AccountId>> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: AccountId" FROM ledger.accounts WHERE kind = $1 AND owner = $2 AND unit = $3"#,
        kind,
        owner,
        unit.code(),
    )
    .fetch_optional(conn)
    .await
}

/// Returns the owner's account of this kind and unit. Opens it with a balance of 0 if it does not exist.
pub async fn open(
    conn: &mut PgConnection,
    kind: &str,
    owner: Uuid,
    unit: Unit,
    at: Timestamp,
) -> sqlx::Result<AccountId> {
    // Reads first, because an account is opened once and found by every later call.
    if let Some(account) = find(conn, kind, owner, unit).await? {
        return Ok(account);
    }
    let opened = sqlx::query_scalar!(
        r#"WITH opened AS (
             INSERT INTO ledger.accounts (id, kind, owner, unit, opened_at) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT ON CONSTRAINT accounts_one_per_owner DO NOTHING
             RETURNING id
           ), new_balance AS (
             INSERT INTO ledger.balances (account_id) SELECT id FROM opened
           )
           SELECT id AS "id: AccountId" FROM opened"#,
        BalanceId::new(at).uuid(),
        kind,
        owner,
        unit.code(),
        at.to_sqlx(),
    )
    .fetch_optional(&mut *conn)
    .await?;
    match opened {
        Some(account) => Ok(account),
        // A concurrent transaction opened it and has committed.
        None => find(conn, kind, owner, unit)
            .await?
            .ok_or(sqlx::Error::RowNotFound),
    }
}

/// Returns the balance in the account's unit, or `None` for a system account.
pub async fn balance(conn: &mut PgConnection, account: AccountId) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!(
        "SELECT balance FROM ledger.balances WHERE account_id = $1",
        account.uuid()
    )
    .fetch_optional(conn)
    .await
}

/// Locks the account against postings until the transaction ends, and returns its balance in the account's unit, or
/// `None` for a system account.
pub async fn lock_balance(conn: &mut PgConnection, account: AccountId) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!(
        "SELECT balance FROM ledger.balances WHERE account_id = $1 FOR NO KEY UPDATE",
        account.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Assigns all accounts of `owner` to `new_owner`, and returns their number. Their postings are unchanged.
pub async fn reassign_owner(conn: &mut PgConnection, owner: Uuid, new_owner: Uuid) -> sqlx::Result<u64> {
    sqlx::query!(
        "UPDATE ledger.accounts SET owner = $2 WHERE owner = $1",
        owner,
        new_owner
    )
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
}

/// Returns the owner of the account, or `None` for a system account.
///
/// # Errors
/// [`sqlx::Error::RowNotFound`] if the account does not exist.
pub async fn owner(conn: &mut PgConnection, account: AccountId) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("SELECT owner FROM ledger.accounts WHERE id = $1", account.uuid())
        .fetch_one(conn)
        .await
}
