//! Accounts: who holds what.

use std::fmt;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use uuid::Uuid;

/// An account of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct AccountId(Uuid);

impl AccountId {
    /// An account with a fixed id: the system accounts that a service's migrations open.
    #[must_use]
    pub const fn fixed(number: u128) -> Self {
        Self(Uuid::from_u128(number))
    }

    /// The id as Postgres keeps it.
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

/// What an account counts. Postings never mix units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Cents of a US dollar.
    Usd,
    /// Reward points.
    Points,
}

impl Unit {
    /// As Postgres keeps it.
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

/// The owner's account of that kind and unit, if it has been opened.
///
/// # Errors
/// What Postgres says.
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

/// The owner's account of that kind and unit, opened with nothing on it where there was none.
///
/// # Errors
/// What Postgres says.
pub async fn open(
    conn: &mut PgConnection,
    kind: &str,
    owner: Uuid,
    unit: Unit,
    at: Timestamp,
) -> sqlx::Result<AccountId> {
    // Looked up first: opening happens once, finding with every call.
    if let Some(account) = find(conn, kind, owner, unit).await? {
        return Ok(account);
    }
    let opened = sqlx::query_scalar!(
        r#"WITH opened AS (
             INSERT INTO ledger.accounts (id, kind, owner, unit, opened_at) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT ON CONSTRAINT accounts_one_per_owner DO NOTHING
             RETURNING id
           ), kept AS (
             INSERT INTO ledger.balances (account_id) SELECT id FROM opened
           )
           SELECT id AS "id: AccountId" FROM opened"#,
        types::BalanceId::new(at).uuid(),
        kind,
        owner,
        unit.code(),
        at.to_sqlx(),
    )
    .fetch_optional(&mut *conn)
    .await?;
    match opened {
        Some(account) => Ok(account),
        // Somebody else opened it meanwhile, and has committed.
        None => find(conn, kind, owner, unit)
            .await?
            .ok_or(sqlx::Error::RowNotFound),
    }
}

/// What is on an account; `None` where it keeps no balance.
///
/// # Errors
/// What Postgres says.
pub async fn balance(conn: &mut PgConnection, account: AccountId) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!(
        "SELECT balance FROM ledger.balances WHERE account_id = $1",
        account.uuid()
    )
    .fetch_optional(conn)
    .await
}

/// Takes the account's lock until the transaction ends and says what is on it; nobody posts on it meanwhile.
///
/// # Errors
/// What Postgres says.
pub async fn lock(conn: &mut PgConnection, account: AccountId) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!(
        "SELECT balance FROM ledger.balances WHERE account_id = $1 FOR NO KEY UPDATE",
        account.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Gives all accounts of an owner who has left to a stand-in that nobody knows: the books stay, the person goes.
///
/// # Errors
/// What Postgres says.
pub async fn disown(conn: &mut PgConnection, owner: Uuid, stand_in: Uuid) -> sqlx::Result<u64> {
    sqlx::query!(
        "UPDATE ledger.accounts SET owner = $2 WHERE owner = $1",
        owner,
        stand_in
    )
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
}

/// Whose account it is; `None` for a system account.
///
/// # Errors
/// What Postgres says; [`sqlx::Error::RowNotFound`] where there is no such account.
pub async fn owner(conn: &mut PgConnection, account: AccountId) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("SELECT owner FROM ledger.accounts WHERE id = $1", account.uuid())
        .fetch_one(conn)
        .await
}
