//! Reads the postings of accounts.

use jiff::Timestamp;
use sqlx::PgConnection;
use types::{EntryId, Page};
use uuid::Uuid;

use crate::account::AccountId;

/// One posting in the statement of an account. The amounts of all lines sum to the balance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementLine {
    pub id: EntryId,
    pub account: AccountId,
    /// Position in the statement: 1 for the oldest line, without gaps.
    pub number: i64,
    /// Signed, in the account's unit: positive if the account received it.
    pub amount: i64,
    /// Balance after this line, in the account's unit.
    pub balance: i64,
    /// Type of posting, for code: `order_held`.
    pub kind: String,
    /// Text for the owner.
    pub explanation: String,
    /// Id of the object that the service posted for, for example an order.
    pub subject: Option<Uuid>,
    pub at: Timestamp,
}

/// Returns the statement of an account, newest line first. Empty for a system account.
pub async fn statement(
    conn: &mut PgConnection,
    account: AccountId,
    page: Page,
) -> sqlx::Result<Vec<StatementLine>> {
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
        .map(|row| StatementLine {
            id: row.id,
            account,
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

/// Returns the lines of several accounts with a kind that starts with `kind_prefix`, newest first. The lines of each account are in
/// the order of their numbers, so that each balance follows from the line before: a line whose clock was behind has the place of the
/// latest earlier line. System accounts have no lines.
pub async fn combined_statement(
    conn: &mut PgConnection,
    accounts: &[AccountId],
    kind_prefix: &str,
    page: Page,
) -> sqlx::Result<Vec<StatementLine>> {
    let accounts: Vec<Uuid> = accounts.iter().map(|account| account.uuid()).collect();
    let rows = sqlx::query!(
        r#"SELECT id AS "id!: EntryId", account AS "account!: AccountId", number AS "number!", amount AS "amount!",
                  balance AS "balance!", kind AS "kind!", explanation AS "explanation!", subject, at AS "at!"
           FROM (
             SELECT id, from_account AS account, from_line AS number, -amount AS amount, from_balance AS balance, kind,
                    explanation, subject, at
             FROM ledger.postings
             WHERE from_account = ANY($1) AND from_line IS NOT NULL AND starts_with(kind, $2)
             UNION ALL
             SELECT id, to_account, to_line, amount, to_balance, kind, explanation, subject, at
             FROM ledger.postings
             WHERE to_account = ANY($1) AND to_line IS NOT NULL AND starts_with(kind, $2)
           ) lines
           ORDER BY max(at) OVER (PARTITION BY account ORDER BY number) DESC, number DESC, id DESC LIMIT $3 OFFSET $4"#,
        &accounts,
        kind_prefix,
        page.limit(),
        page.offset(),
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| StatementLine {
            id: row.id,
            account: row.account,
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
