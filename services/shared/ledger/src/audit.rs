//! The proof that the books balance.

use sqlx::PgConnection;

use crate::AccountId;

/// What an audit found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// How many postings were looked at.
    pub postings: i64,
    /// How many accounts.
    pub accounts: i64,
    /// Everything that is wrong; empty when the books balance.
    pub faults: Vec<Fault>,
}

/// Something wrong with the books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// All accounts of a unit together hold something.
    Unbalanced {
        /// The unit.
        unit: String,
        /// What they hold.
        sum: i64,
    },
    /// A balance is not the sum of its account's postings, or its number of lines not their number.
    Balance {
        /// The account.
        account: AccountId,
        /// What its balance says.
        balance: i64,
        /// What its postings say.
        postings: i64,
    },
    /// The balance after a line is not the balance before it and its amount, or a number is missing.
    Chain {
        /// The account.
        account: AccountId,
        /// The line.
        line: i64,
    },
    /// An owner's account without a balance, or a system account with one.
    Kept {
        /// The account.
        account: AccountId,
    },
}

/// Goes through all postings and proves that they add up to nothing, that each balance is the sum of its postings,
/// and that each line follows from the one before. Reads everything: for tests, and for a nightly job in a
/// REPEATABLE READ transaction.
///
/// # Errors
/// What Postgres says.
pub async fn audit(conn: &mut PgConnection) -> sqlx::Result<Audit> {
    let size = sqlx::query!(
        r#"SELECT (SELECT count(*) FROM ledger.postings) AS "postings!",
                  (SELECT count(*) FROM ledger.accounts) AS "accounts!""#,
    )
    .fetch_one(&mut *conn)
    .await?;
    let mut faults = unbalanced(conn).await?;
    faults.extend(balances(conn).await?);
    faults.extend(chains(conn).await?);
    faults.extend(kept(conn).await?);
    Ok(Audit {
        postings: size.postings,
        accounts: size.accounts,
        faults,
    })
}

async fn unbalanced(conn: &mut PgConnection) -> sqlx::Result<Vec<Fault>> {
    let rows = sqlx::query!(
        r#"SELECT unit, sum(amount)::bigint AS "sum!"
           FROM (SELECT a.unit, -p.amount AS amount FROM ledger.postings p JOIN ledger.accounts a ON a.id = p.from_account
                 UNION ALL
                 SELECT a.unit, p.amount FROM ledger.postings p JOIN ledger.accounts a ON a.id = p.to_account) sides
           GROUP BY unit HAVING sum(amount) <> 0"#,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Fault::Unbalanced {
            unit: row.unit.unwrap_or_default(),
            sum: row.sum,
        })
        .collect())
}

async fn balances(conn: &mut PgConnection) -> sqlx::Result<Vec<Fault>> {
    let rows = sqlx::query!(
        r#"SELECT account_id AS "account: AccountId", balance, coalesce(sum(side.amount), 0)::bigint AS "postings!"
           FROM ledger.balances
           LEFT JOIN (SELECT from_account AS account, -amount AS amount FROM ledger.postings
                      UNION ALL
                      SELECT to_account, amount FROM ledger.postings) side ON side.account = account_id
           GROUP BY account_id
           HAVING balance <> coalesce(sum(side.amount), 0) OR line <> count(side.amount)"#,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Fault::Balance {
            account: row.account,
            balance: row.balance,
            postings: row.postings,
        })
        .collect())
}

async fn chains(conn: &mut PgConnection) -> sqlx::Result<Vec<Fault>> {
    let rows = sqlx::query!(
        r#"SELECT account AS "account!: AccountId", line AS "line!"
           FROM (SELECT account, line, amount, balance,
                        lag(line, 1, 0::bigint) OVER ordered AS line_before,
                        lag(balance, 1, 0::bigint) OVER ordered AS balance_before
                 FROM (SELECT from_account AS account, from_line AS line, -amount AS amount, from_balance AS balance
                       FROM ledger.postings WHERE from_line IS NOT NULL
                       UNION ALL
                       SELECT to_account, to_line, amount, to_balance
                       FROM ledger.postings WHERE to_line IS NOT NULL) sides
                 WINDOW ordered AS (PARTITION BY account ORDER BY line)) chain
           WHERE line <> line_before + 1 OR balance <> balance_before + amount"#,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Fault::Chain {
            account: row.account,
            line: row.line,
        })
        .collect())
}

async fn kept(conn: &mut PgConnection) -> sqlx::Result<Vec<Fault>> {
    let rows = sqlx::query_scalar!(
        r#"SELECT id AS "id: AccountId" FROM ledger.accounts
           WHERE (owner IS NOT NULL) <> EXISTS (SELECT FROM ledger.balances WHERE account_id = id)"#,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|account| Fault::Kept { account }).collect())
}
