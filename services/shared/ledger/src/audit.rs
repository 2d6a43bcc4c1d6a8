//! Checks that the ledger balances.

use sqlx::{PgConnection, PgPool};

use crate::account::AccountId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// Number of postings checked.
    pub postings: i64,
    /// Number of accounts checked.
    pub accounts: i64,
    /// Empty if the ledger balances.
    pub findings: Vec<AuditFinding>,
}

/// An inconsistency in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditFinding {
    /// The amounts of all accounts of one unit do not sum to 0.
    UnbalancedUnit { unit: String, sum: i64 },
    /// The balance differs from the sum of the account's postings, or its line number from their count.
    BalanceMismatch {
        account: AccountId,
        balance: i64,
        sum_of_postings: i64,
    },
    /// The balance after a line is not the previous balance plus the line's amount, or the previous line is missing.
    BrokenStatement { account: AccountId, line: i64 },
    /// An owner's account has no balance row, or a system account has one.
    BalanceRowMismatch { account: AccountId },
}

/// Audits the ledger in a read-only transaction of its own, with one snapshot for all checks.
pub async fn audit_snapshot(pool: &PgPool) -> sqlx::Result<Audit> {
    let mut tx = pool
        .begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        .await?;
    audit(&mut tx).await
}

/// Checks that the postings of each unit sum to 0, that every balance is the sum of its account's postings, and that
/// every statement line continues the previous one. Reads all postings. The transaction must be REPEATABLE READ if
/// postings can be written concurrently.
pub async fn audit(conn: &mut PgConnection) -> sqlx::Result<Audit> {
    let size = sqlx::query!(
        r#"SELECT (SELECT count(*) FROM ledger.postings) AS "postings!",
                  (SELECT count(*) FROM ledger.accounts) AS "accounts!""#,
    )
    .fetch_one(&mut *conn)
    .await?;
    let mut findings = unbalanced_units(conn).await?;
    findings.extend(balance_mismatches(conn).await?);
    findings.extend(broken_statements(conn).await?);
    findings.extend(balance_row_mismatches(conn).await?);
    Ok(Audit {
        postings: size.postings,
        accounts: size.accounts,
        findings,
    })
}

async fn unbalanced_units(conn: &mut PgConnection) -> sqlx::Result<Vec<AuditFinding>> {
    let rows = sqlx::query!(
        r#"SELECT unit AS "unit!", sum(amount)::bigint AS "sum!"
           FROM (SELECT a.unit, -p.amount AS amount FROM ledger.postings p JOIN ledger.accounts a ON a.id = p.from_account
                 UNION ALL
                 SELECT a.unit, p.amount FROM ledger.postings p JOIN ledger.accounts a ON a.id = p.to_account) sides
           GROUP BY unit HAVING sum(amount) <> 0"#,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| AuditFinding::UnbalancedUnit {
            unit: row.unit,
            sum: row.sum,
        })
        .collect())
}

async fn balance_mismatches(conn: &mut PgConnection) -> sqlx::Result<Vec<AuditFinding>> {
    let rows = sqlx::query!(
        r#"SELECT account_id AS "account: AccountId", balance, coalesce(sum(sides.amount), 0)::bigint AS "sum_of_postings!"
           FROM ledger.balances
           LEFT JOIN (SELECT from_account AS account, -amount AS amount FROM ledger.postings
                      UNION ALL
                      SELECT to_account, amount FROM ledger.postings) sides ON sides.account = account_id
           GROUP BY account_id
           HAVING balance <> coalesce(sum(sides.amount), 0) OR line <> count(sides.amount)"#,
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

async fn broken_statements(conn: &mut PgConnection) -> sqlx::Result<Vec<AuditFinding>> {
    let rows = sqlx::query!(
        r#"SELECT account AS "account!: AccountId", line AS "line!"
           FROM (SELECT account, line, amount, balance,
                        lag(line, 1, 0::bigint) OVER ordered AS previous_line,
                        lag(balance, 1, 0::bigint) OVER ordered AS previous_balance
                 FROM (SELECT from_account AS account, from_line AS line, -amount AS amount, from_balance AS balance
                       FROM ledger.postings WHERE from_line IS NOT NULL
                       UNION ALL
                       SELECT to_account, to_line, amount, to_balance
                       FROM ledger.postings WHERE to_line IS NOT NULL) sides
                 WINDOW ordered AS (PARTITION BY account ORDER BY line)) lines
           WHERE line <> previous_line + 1 OR balance <> previous_balance + amount"#,
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

async fn balance_row_mismatches(conn: &mut PgConnection) -> sqlx::Result<Vec<AuditFinding>> {
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
