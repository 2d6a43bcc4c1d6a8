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
        r#"select id as "id!: EntryId", number as "number!", amount as "amount!", balance as "balance!",
                  kind as "kind!", explanation as "explanation!", subject, at as "at!"
           from (
             select id, from_line as number, -amount as amount, from_balance as balance, kind, explanation, subject, at
             from ledger.postings where from_account = $1 and from_line is not null
             union all
             select id, to_line, amount, to_balance, kind, explanation, subject, at
             from ledger.postings where to_account = $1 and to_line is not null
           ) lines
           order by number desc limit $2 offset $3"#,
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
