//! Moving an amount from one account to another.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::EntryId;
use uuid::Uuid;

use crate::{AccountId, Unit};

/// Whether the giving account may end up below zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overdraft {
    /// Spending: never below zero.
    Refused,
    /// A clawback takes what was given, even where it has been spent since.
    Allowed,
}

/// An amount that is to move.
#[derive(Debug, Clone, Copy)]
pub struct Posting<'a> {
    /// Stable and unique in this ledger; asking again under it moves nothing again.
    pub reference: &'a str,
    /// Where it comes from.
    pub from: AccountId,
    /// Where it goes.
    pub to: AccountId,
    /// What both accounts count.
    pub unit: Unit,
    /// More than nothing.
    pub amount: i64,
    /// Whether `from` may end up below zero. System accounts always may.
    pub overdraft: Overdraft,
    /// What sort of movement it is, for code: `order_held`.
    pub kind: &'a str,
    /// What it is, for the person who reads the account.
    pub explanation: &'a str,
    /// What it is about, in the service's own words: an order's id.
    pub subject: Option<Uuid>,
    /// When it happened.
    pub at: Timestamp,
}

/// A posting that stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posted {
    /// Its id.
    pub id: EntryId,
    /// The giving account's line; `None` for a system account.
    pub from: Option<Side>,
    /// The receiving account's line; `None` for a system account.
    pub to: Option<Side>,
    /// Whether it stood already.
    pub repeated: bool,
}

/// One side of a posting, on an account that keeps a balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side {
    /// The line's number on the account, from 1 without gaps: the account's version.
    pub line: i64,
    /// What was on the account after it.
    pub balance: i64,
}

/// Why nothing moved.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The giving account has less than that.
    #[error("insufficient balance: {available} available")]
    Insufficient {
        /// What it has.
        available: i64,
    },
    /// Another movement stands under this reference.
    #[error("reference {0} stands for another posting")]
    ReferenceTaken(String),
    /// Nothing, or less than nothing, cannot move.
    #[error("an amount that moves is more than nothing")]
    NotPositive,
    /// A balance would not fit.
    #[error("balance out of range")]
    OutOfRange,
    /// What Postgres says; an unknown account or a mix of units violates `postings_from` or `postings_to`.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// Moves an amount, once for each reference.
///
/// A posting that stands under the same reference and moved the same (accounts, unit, amount, kind, subject) is the
/// answer again, with the balances of its time. An error leaves nothing written; after [`PostError::Insufficient`]
/// or [`PostError::ReferenceTaken`] the transaction can still be used.
///
/// # Errors
/// [`PostError::Insufficient`], [`PostError::ReferenceTaken`], [`PostError::NotPositive`],
/// [`PostError::OutOfRange`], [`PostError::Database`].
pub async fn post(conn: &mut PgConnection, posting: Posting<'_>) -> Result<Posted, PostError> {
    if posting.amount <= 0 {
        return Err(PostError::NotPositive);
    }
    let (from, to) = lock_sides(conn, &posting).await?;
    let from = from.map(|side| side.moved(-posting.amount)).transpose()?;
    let to = to.map(|side| side.moved(posting.amount)).transpose()?;

    let short = from.filter(|side| side.balance < 0 && posting.overdraft == Overdraft::Refused);
    if short.is_none()
        && let Some(posted) = write(conn, &posting, from, to).await?
    {
        return Ok(posted);
    }
    // The reference is taken, or the balance too small: perhaps because this very posting stands already.
    match (find(conn, &posting).await?, short) {
        (Some(posted), _) => Ok(posted),
        (None, Some(side)) => Err(PostError::Insufficient {
            available: side.balance + posting.amount,
        }),
        (None, None) => Err(PostError::ReferenceTaken(posting.reference.to_owned())),
    }
}

impl Side {
    fn moved(self, by: i64) -> Result<Self, PostError> {
        let balance = self.balance.checked_add(by).ok_or(PostError::OutOfRange)?;
        Ok(Self {
            line: self.line + 1,
            balance,
        })
    }
}

/// Locks both accounts' balances, the lower id first, so that two opposite postings never wait for each other.
async fn lock_sides(
    conn: &mut PgConnection,
    posting: &Posting<'_>,
) -> Result<(Option<Side>, Option<Side>), sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT account_id AS "account: AccountId", balance, line FROM ledger.balances
           WHERE account_id IN ($1, $2) ORDER BY account_id FOR NO KEY UPDATE"#,
        posting.from.uuid(),
        posting.to.uuid(),
    )
    .fetch_all(conn)
    .await?;
    let side = |account| {
        rows.iter().find(|row| row.account == account).map(|row| Side {
            line: row.line,
            balance: row.balance,
        })
    };
    Ok((side(posting.from), side(posting.to)))
}

/// Writes posting and balances in one statement; `None` where the reference is taken.
async fn write(
    conn: &mut PgConnection,
    posting: &Posting<'_>,
    from: Option<Side>,
    to: Option<Side>,
) -> Result<Option<Posted>, sqlx::Error> {
    let id = EntryId::new(posting.at);
    let written = sqlx::query_scalar!(
        r#"WITH posting AS (
             INSERT INTO ledger.postings (id, reference, from_account, to_account, unit, amount, kind, explanation,
                                          subject, at, from_line, from_balance, to_line, to_balance)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
             ON CONFLICT ON CONSTRAINT postings_reference DO NOTHING
             RETURNING from_account, to_account, from_line, from_balance, to_line, to_balance
           ), moved AS (
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
        from.map(|side| side.line),
        from.map(|side| side.balance),
        to.map(|side| side.line),
        to.map(|side| side.balance),
    )
    .fetch_one(conn)
    .await?;
    Ok((written == 1).then_some(Posted {
        id,
        from,
        to,
        repeated: false,
    }))
}

/// The posting that stands under this reference, if it moved the same.
async fn find(conn: &mut PgConnection, posting: &Posting<'_>) -> Result<Option<Posted>, PostError> {
    let earlier = sqlx::query!(
        r#"SELECT id AS "id: EntryId", from_line, from_balance, to_line, to_balance,
                  (from_account, to_account, unit, amount, kind) = ($2::uuid, $3::uuid, $4::text, $5::bigint, $6::text)
                    AND subject IS NOT DISTINCT FROM $7::uuid AS "same!"
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
    match earlier {
        Some(row) if !row.same => Err(PostError::ReferenceTaken(posting.reference.to_owned())),
        Some(row) => Ok(Some(Posted {
            id: row.id,
            from: side(row.from_line, row.from_balance),
            to: side(row.to_line, row.to_balance),
            repeated: true,
        })),
        None => Ok(None),
    }
}

fn side(line: Option<i64>, balance: Option<i64>) -> Option<Side> {
    line.zip(balance).map(|(line, balance)| Side { line, balance })
}
