//! The ledger read back: what an account's owner sees.

use jiff::Timestamp;
use sqlx::PgConnection;
use types::{EntryId, Page};
use uuid::Uuid;

use crate::AccountId;

/// A posting as one account sees it. The amounts of all lines add up to the balance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The posting.
    pub id: EntryId,
    /// The line's number on this account, from 1 without gaps.
    pub number: i64,
    /// Signed: what came is positive, what went is negative.
    pub amount: i64,
    /// What was on the account after it.
    pub balance: i64,
    /// What sort of movement, for code.
    pub kind: String,
    /// What it is, for the person.
    pub explanation: String,
    /// What it is about.
    pub subject: Option<Uuid>,
    /// When.
    pub at: Timestamp,
}

/// The lines of an account that keeps a balance, newest first.
///
/// # Errors
/// What Postgres says.
pub async fn lines(conn: &mut PgConnection, account: AccountId, page: Page) -> sqlx::Result<Vec<Line>> {
    let rows = sqlx::query!(
        r#"SELECT id AS "id!: EntryId", number AS "number!", amount AS "amount!", balance AS "balance!",
                  kind AS "kind!", explanation AS "explanation!", subject, at AS "at!"
           FROM (
             SELECT id, from_line AS number, -amount AS amount, from_balance AS balance, kind, explanation, subject, at
             FROM ledger.postings WHERE from_account = $1 AND from_line IS NOT NULL
             UNION ALL
             SELECT id, to_line, amount, to_balance, kind, explanation, subject, at
             FROM ledger.postings WHERE to_account = $1 AND to_line IS NOT NULL
           ) lines
           ORDER BY number DESC LIMIT $2 OFFSET $3"#,
        account.uuid(),
        page.limit(),
        page.offset(),
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Line {
            id: row.id,
            number: row.number,
            amount: row.amount,
            balance: row.balance,
            kind: row.kind,
            explanation: row.explanation,
            subject: row.subject,
            at: row.at.into(),
        })
        .collect())
}
