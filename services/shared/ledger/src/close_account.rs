//! Closes the account of an owner, when the owner's data is erased.

use jiff::Timestamp;
use sqlx::PgConnection;
use types::BalanceId;
use uuid::Uuid;

use crate::{
    account::{self, AccountId, Unit},
    posting::{Overdraft, PostError, Posting, post},
};

/// Moves the balance of the owner's account to the system account `closed_accounts` and replaces the owner by a new
/// random id. The postings stay. Does nothing if the owner has no such account.
pub async fn close_account(
    conn: &mut PgConnection,
    kind: &str,
    owner: Uuid,
    unit: Unit,
    closed_accounts: AccountId,
    at: Timestamp,
) -> Result<(), PostError> {
    let Some(account) = account::find(conn, kind, owner, unit).await? else {
        return Ok(());
    };
    // Lock before posting: a concurrent transaction that found the account before sees a balance of 0 afterwards.
    let balance = account::lock_balance(conn, account).await?.unwrap_or_default();
    if balance != 0 {
        let (from, to) = if balance > 0 {
            (account, closed_accounts)
        } else {
            (closed_accounts, account)
        };
        let posting = Posting {
            reference: &format!("account:{}:closed", account.uuid()),
            from,
            to,
            unit,
            amount: balance.checked_abs().ok_or(PostError::BalanceOutOfRange)?,
            overdraft: Overdraft::Forbidden,
            kind: "account_closed",
            explanation: "Account closed",
            subject: None,
            at,
        };
        post(conn, posting).await?;
    }
    account::reassign_owner(conn, owner, BalanceId::new(at).uuid()).await?;
    Ok(())
}
