//! The checks of an audit. Each skips the rows that `Progress` marks as audited.

use sqlx::PgConnection;
use types::EntryId;
use uuid::Uuid;

use super::{AuditFinding, LiveHold, progress::Progress};
use crate::account::AccountId;

/// Returns the number of postings to check and of accounts.
pub(super) async fn count(conn: &mut PgConnection, progress: Progress) -> sqlx::Result<(i64, i64)> {
    let count = sqlx::query!(
        r#"SELECT (SELECT count(*) FROM ledger.postings WHERE id >= $1) AS "postings!",
                  (SELECT count(*) FROM ledger.accounts) AS "accounts!""#,
        progress.first_posting,
    )
    .fetch_one(conn)
    .await?;
    Ok((count.postings, count.accounts))
}

/// Adds the lines after the audited one to its balance.
pub(super) async fn balance_mismatches(
    conn: &mut PgConnection,
    progress: Progress,
) -> sqlx::Result<Vec<AuditFinding>> {
    let rows = sqlx::query!(
        r#"WITH accounts AS (
             SELECT b.account_id, b.balance, b.line,
                    coalesce(audited.line, 0) AS audited_line, coalesce(audited.balance, 0) AS audited_balance
             FROM ledger.balances b
             LEFT JOIN ledger.audited_accounts audited ON audited.account_id = b.account_id AND $1)
           SELECT account_id AS "account: AccountId", balance,
                  (audited_balance + coalesce(new.amount, 0))::bigint AS "sum_of_postings!"
           FROM accounts
           LEFT JOIN LATERAL (
             SELECT sum(sides.amount) AS amount, count(*) AS lines
             FROM (SELECT -amount AS amount FROM ledger.postings
                   WHERE from_account = account_id AND from_line > audited_line
                   UNION ALL
                   SELECT amount FROM ledger.postings
                   WHERE to_account = account_id AND to_line > audited_line) sides
             -- Not evaluated for accounts without new lines.
             WHERE line <> audited_line OR NOT $1) new ON true
           WHERE balance <> audited_balance + coalesce(new.amount, 0) OR line <> audited_line + new.lines"#,
        progress.is_incremental,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| AuditFinding::BalanceMismatch {
            account: row.account,
            balance: row.balance,
            sum_of_postings: row.sum_of_postings,
        })
        .collect())
}

/// Compares each line after the audited one with the line before it.
pub(super) async fn broken_statements(
    conn: &mut PgConnection,
    progress: Progress,
) -> sqlx::Result<Vec<AuditFinding>> {
    let rows = sqlx::query!(
        r#"WITH accounts AS (
             SELECT b.account_id, coalesce(audited.line, 0) AS line, coalesce(audited.balance, 0) AS balance
             FROM ledger.balances b
             LEFT JOIN ledger.audited_accounts audited ON audited.account_id = b.account_id AND $1
             WHERE b.line > coalesce(audited.line, 0) OR NOT $1)
           SELECT account_id AS "account!: AccountId", line AS "line!"
           FROM (SELECT account_id, side.line, side.amount, side.balance,
                        lag(side.line, 1, accounts.line) OVER ordered AS previous_line,
                        lag(side.balance, 1, accounts.balance) OVER ordered AS previous_balance
                 FROM accounts
                 CROSS JOIN LATERAL (
                   SELECT from_line AS line, -amount AS amount, from_balance AS balance FROM ledger.postings
                   WHERE from_account = account_id AND from_line > accounts.line
                   UNION ALL
                   SELECT to_line, amount, to_balance FROM ledger.postings
                   WHERE to_account = account_id AND to_line > accounts.line) side
                 WINDOW ordered AS (PARTITION BY account_id ORDER BY side.line)) lines
           WHERE line <> previous_line + 1 OR balance <> previous_balance + amount"#,
        progress.is_incremental,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| AuditFinding::BrokenStatement {
            account: row.account,
            line: row.line,
        })
        .collect())
}

pub(super) async fn balance_row_mismatches(conn: &mut PgConnection) -> sqlx::Result<Vec<AuditFinding>> {
    let rows = sqlx::query_scalar!(
        r#"SELECT id AS "id: AccountId" FROM ledger.accounts
           WHERE (owner IS NOT NULL) <> EXISTS (SELECT FROM ledger.balances WHERE account_id = id)"#,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|account| AuditFinding::BalanceRowMismatch { account })
        .collect())
}

pub(super) async fn negative_balances(conn: &mut PgConnection) -> sqlx::Result<Vec<AuditFinding>> {
    let rows = sqlx::query!(
        r#"SELECT account_id AS "account: AccountId", balance FROM ledger.balances WHERE balance < 0"#
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| AuditFinding::NegativeBalance {
            account: row.account,
            balance: row.balance,
        })
        .collect())
}

pub(super) async fn incomplete_postings(
    conn: &mut PgConnection,
    progress: Progress,
) -> sqlx::Result<Vec<AuditFinding>> {
    let rows = sqlx::query_scalar!(
        r#"SELECT p.id AS "id!: EntryId"
           FROM ledger.postings p
           LEFT JOIN ledger.accounts f ON (f.id, f.unit) = (p.from_account, p.unit)
           LEFT JOIN ledger.accounts t ON (t.id, t.unit) = (p.to_account, p.unit)
           WHERE p.id >= $1
             AND (f.id IS NULL OR t.id IS NULL
                  OR (f.owner IS NULL) <> (p.from_line IS NULL) OR (t.owner IS NULL) <> (p.to_line IS NULL))"#,
        progress.first_posting,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|posting| AuditFinding::IncompletePosting { posting })
        .collect())
}

/// Compares the amount in flight with the held amount, for each live hold and for each order with a checked posting.
pub(super) async fn hold_mismatches(
    conn: &mut PgConnection,
    progress: Progress,
    in_flight: AccountId,
    live_holds: &[LiveHold],
) -> sqlx::Result<Vec<AuditFinding>> {
    let subjects: Vec<Uuid> = live_holds.iter().map(|hold| hold.subject).collect();
    let amounts: Vec<i64> = live_holds.iter().map(|hold| hold.amount).collect();
    let rows = sqlx::query!(
        r#"WITH live AS (SELECT subject, amount FROM unnest($1::uuid[], $2::bigint[]) AS live (subject, amount)),
             checked AS (
               SELECT subject FROM live
               UNION
               SELECT subject FROM ledger.postings WHERE id >= $3 AND $4::uuid IN (from_account, to_account))
           SELECT checked.subject, coalesce(live.amount, 0) AS "held!", coalesce(posted.amount, 0) AS "in_flight!"
           FROM checked
           LEFT JOIN live ON live.subject = checked.subject
           LEFT JOIN LATERAL (
             SELECT sum(CASE to_account WHEN $4 THEN amount ELSE -amount END)::bigint AS amount
             FROM ledger.postings p
             WHERE p.subject = checked.subject AND $4 IN (from_account, to_account)) posted ON true
           WHERE coalesce(live.amount, 0) <> coalesce(posted.amount, 0) OR checked.subject IS NULL"#,
        &subjects,
        &amounts,
        progress.first_posting,
        in_flight.uuid(),
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| AuditFinding::HoldMismatch {
            subject: row.subject,
            held: row.held,
            in_flight: row.in_flight,
        })
        .collect())
}
