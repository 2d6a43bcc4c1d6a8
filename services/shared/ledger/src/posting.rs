//! Moves an amount from one account to another.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::InternalError;
use sqlx::PgConnection;
use types::EntryId;
use uuid::Uuid;

use crate::account::{AccountId, Unit};

/// Whether a posting may leave its `from` account with a negative balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overdraft {
    /// For spending.
    Forbidden,
    /// For clawbacks: the amount may have been spent already.
    Allowed,
}

/// A request to move an amount.
#[derive(Debug, Clone, Copy)]
pub struct Posting<'a> {
    /// Idempotency key, unique in the ledger.
    pub reference: &'a str,
    pub from: AccountId,
    pub to: AccountId,
    /// The unit of both accounts.
    pub unit: Unit,
    /// Positive, in `unit`.
    pub amount: i64,
    /// Applies to `from` if it has an owner. System accounts can always be overdrawn.
    pub overdraft: Overdraft,
    /// Type of posting, for code: `order_held`.
    pub kind: &'a str,
    /// Text for the owners of the accounts. Not empty.
    pub explanation: &'a str,
    /// Id of the object that the service posts for, for example an order.
    pub subject: Option<Uuid>,
    pub at: Timestamp,
}

/// A posting that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posted {
    pub id: EntryId,
    /// `None` for a system account.
    pub from: Option<BalanceAfter>,
    /// `None` for a system account.
    pub to: Option<BalanceAfter>,
    /// Whether a previous call wrote it, so that this call changed no balance.
    pub is_duplicate: bool,
}

/// The balance of an owner's account after a posting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BalanceAfter {
    /// Number of the posting's line in the account's statement. Increases by 1 with each posting, so it is also the
    /// version of the balance.
    pub line: i64,
    /// In the account's unit.
    pub balance: i64,
}

/// Why nothing was posted.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    #[error("insufficient balance: {available} available")]
    InsufficientBalance {
        /// Balance of the `from` account, in its unit.
        available: i64,
    },
    #[error("reference {0} was used for a different posting")]
    ReferenceConflict(String),
    #[error("amount is not positive")]
    AmountNotPositive,
    #[error("balance out of range")]
    BalanceOutOfRange,
    /// An unknown account or a wrong unit violates `postings_from` or `postings_to`, an empty explanation
    /// `postings_explanation_not_empty`.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl From<PostError> for InternalError {
    /// For postings that can only fail because of a bug or the database.
    fn from(error: PostError) -> Self {
        match error {
            PostError::Database(error) => error.into(),
            other => Self::invariant_violated(format!("ledger: {other}")),
        }
    }
}

/// Moves an amount. Idempotent by reference: if the reference was used for an equal posting (accounts, unit, amount,
/// kind and subject), returns that posting with the balances at that time.
///
/// The transaction stays usable after every error except [`PostError::Database`].
///
/// # Errors
/// - [`PostError::AmountNotPositive`] if the amount is 0 or negative.
/// - [`PostError::InsufficientBalance`] if the posting would overdraw `from` and overdrafts are not allowed.
/// - [`PostError::ReferenceConflict`] if the reference was used for a different posting.
/// - [`PostError::BalanceOutOfRange`] if a balance would exceed an `i64`.
pub async fn post(conn: &mut PgConnection, posting: Posting<'_>) -> Result<Posted, PostError> {
    if posting.amount <= 0 {
        return Err(PostError::AmountNotPositive);
    }
    let (from, to) = lock_balances(conn, &posting).await?;
    let from = from.map(|balance| balance.add(-posting.amount)).transpose()?;
    let to = to.map(|balance| balance.add(posting.amount)).transpose()?;

    let overdrawn = from.filter(|after| after.balance < 0 && posting.overdraft == Overdraft::Forbidden);
    if overdrawn.is_none()
        && let Some(posted) = insert(conn, &posting, from, to).await?
    {
        return Ok(posted);
    }
    // The reference was used, or the balance is insufficient. Both can mean that this posting was already written.
    match (find_duplicate(conn, &posting).await?, overdrawn) {
        (Some(posted), _) => Ok(posted),
        (None, Some(after)) => Err(PostError::InsufficientBalance {
            available: after.balance + posting.amount,
        }),
        (None, None) => Err(PostError::ReferenceConflict(posting.reference.to_owned())),
    }
}

impl BalanceAfter {
    fn add(self, amount: i64) -> Result<Self, PostError> {
        let balance = self
            .balance
            .checked_add(amount)
            .ok_or(PostError::BalanceOutOfRange)?;
        Ok(Self {
            line: self.line + 1,
            balance,
        })
    }

    fn from_columns(line: Option<i64>, balance: Option<i64>) -> Option<Self> {
        line.zip(balance).map(|(line, balance)| Self { line, balance })
    }
}

/// Locks the balances of both accounts, the lower id first, so that two opposite postings cannot deadlock.
async fn lock_balances(
    conn: &mut PgConnection,
    posting: &Posting<'_>,
) -> Result<(Option<BalanceAfter>, Option<BalanceAfter>), sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT account_id AS "account: AccountId", balance, line FROM ledger.balances
           WHERE account_id IN ($1, $2) ORDER BY account_id FOR NO KEY UPDATE"#,
        posting.from.uuid(),
        posting.to.uuid(),
    )
    .fetch_all(conn)
    .await?;
    let current = |account| {
        rows.iter()
            .find(|row| row.account == account)
            .map(|row| BalanceAfter {
                line: row.line,
                balance: row.balance,
            })
    };
    Ok((current(posting.from), current(posting.to)))
}

/// Writes the posting and both balances in one statement. Returns `None` if the reference was used before.
async fn insert(
    conn: &mut PgConnection,
    posting: &Posting<'_>,
    from: Option<BalanceAfter>,
    to: Option<BalanceAfter>,
) -> Result<Option<Posted>, sqlx::Error> {
    let id = EntryId::new(posting.at);
    let inserted = sqlx::query_scalar!(
        r#"WITH posting AS (
             INSERT INTO ledger.postings (id, reference, from_account, to_account, unit, amount, kind, explanation,
                                          subject, at, from_line, from_balance, to_line, to_balance)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
             ON CONFLICT ON CONSTRAINT postings_reference DO NOTHING
             RETURNING from_account, to_account, from_line, from_balance, to_line, to_balance
           ), updated AS (
             UPDATE ledger.balances
             SET balance = CASE account_id WHEN from_account THEN from_balance ELSE to_balance END,
                 line = CASE account_id WHEN from_account THEN from_line ELSE to_line END
             FROM posting WHERE account_id IN (from_account, to_account)
           )
           SELECT count(*) AS "count!" FROM posting"#,
        id.uuid(),
        posting.reference,
        posting.from.uuid(),
        posting.to.uuid(),
        posting.unit.code(),
        posting.amount,
        posting.kind,
        posting.explanation,
        posting.subject,
        posting.at.to_sqlx(),
        from.map(|after| after.line),
        from.map(|after| after.balance),
        to.map(|after| after.line),
        to.map(|after| after.balance),
    )
    .fetch_one(conn)
    .await?;
    Ok((inserted == 1).then_some(Posted {
        id,
        from,
        to,
        is_duplicate: false,
    }))
}

/// Returns the posting that used this reference, if it is equal.
async fn find_duplicate(conn: &mut PgConnection, posting: &Posting<'_>) -> Result<Option<Posted>, PostError> {
    let row = sqlx::query!(
        r#"SELECT id AS "id: EntryId", from_line, from_balance, to_line, to_balance,
                  (from_account, to_account, unit, amount, kind) = ($2::uuid, $3::uuid, $4::text, $5::bigint, $6::text)
                    AND subject IS NOT DISTINCT FROM $7::uuid AS "is_equal!"
           FROM ledger.postings WHERE reference = $1"#,
        posting.reference,
        posting.from.uuid(),
        posting.to.uuid(),
        posting.unit.code(),
        posting.amount,
        posting.kind,
        posting.subject,
    )
    .fetch_optional(conn)
    .await?;
    match row {
        Some(row) if !row.is_equal => Err(PostError::ReferenceConflict(posting.reference.to_owned())),
        Some(row) => Ok(Some(Posted {
            id: row.id,
            from: BalanceAfter::from_columns(row.from_line, row.from_balance),
            to: BalanceAfter::from_columns(row.to_line, row.to_balance),
            is_duplicate: true,
        })),
        None => Ok(None),
    }
}
