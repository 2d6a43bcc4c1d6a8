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
        r#"select (select count(*) from ledger.postings) as "postings!",
                  (select count(*) from ledger.accounts) as "accounts!""#,
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
        r#"select unit, sum(amount)::bigint as "sum!"
           from (select a.unit, -p.amount as amount from ledger.postings p join ledger.accounts a on a.id = p.from_account
                 union all
                 select a.unit, p.amount from ledger.postings p join ledger.accounts a on a.id = p.to_account) sides
           group by unit having sum(amount) <> 0"#,
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
        r#"select account_id as "account: AccountId", balance, coalesce(sum(side.amount), 0)::bigint as "postings!"
           from ledger.balances
           left join (select from_account as account, -amount as amount from ledger.postings
                      union all
                      select to_account, amount from ledger.postings) side on side.account = account_id
           group by account_id
           having balance <> coalesce(sum(side.amount), 0) or line <> count(side.amount)"#,
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
        r#"select account as "account!: AccountId", line as "line!"
           from (select account, line, amount, balance,
                        lag(line, 1, 0::bigint) over ordered as line_before,
                        lag(balance, 1, 0::bigint) over ordered as balance_before
                 from (select from_account as account, from_line as line, -amount as amount, from_balance as balance
                       from ledger.postings where from_line is not null
                       union all
                       select to_account, to_line, amount, to_balance
                       from ledger.postings where to_line is not null) sides
                 window ordered as (partition by account order by line)) chain
           where line <> line_before + 1 or balance <> balance_before + amount"#,
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
        r#"select id as "id: AccountId" from ledger.accounts
           where (owner is not null) <> exists (select from ledger.balances where account_id = id)"#,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|account| Fault::Kept { account }).collect())
}
