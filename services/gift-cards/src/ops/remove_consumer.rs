//! A consumer left: the books stay, the person goes.

use jiff::Timestamp;
use kit::InternalError;
use ledger::{Overdraft, Posting, Unit};
use sqlx::PgConnection;
use types::{BalanceId, ConsumerId};

use super::books;
use crate::db;

/// Forgets whose account it was, moves what is on it to those who departed, and lets nothing late open another.
pub(crate) async fn remove_consumer(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    at: Timestamp,
) -> Result<(), InternalError> {
    db::consumers::remove(conn, consumer, at).await?;
    let account = ledger::account::find(conn, books::JOEPASS, consumer.uuid(), Unit::Usd).await?;
    let Some(account) = account else { return Ok(()) };
    // The lock comes first: a hold that found the account just now then finds nothing on it.
    let left = ledger::account::lock(conn, account).await?.unwrap_or_default();
    if left != 0 {
        let (from, to) = if left > 0 {
            (account, books::DEPARTED)
        } else {
            (books::DEPARTED, account)
        };
        let posting = Posting {
            reference: &format!("balance:{}:departed", books::balance_id(account)),
            from,
            to,
            unit: Unit::Usd,
            amount: left.abs(),
            overdraft: Overdraft::Refused,
            kind: "account_closed",
            explanation: "Account closed",
            subject: None,
            at,
        };
        ledger::post(conn, posting).await.map_err(books::fault)?;
    }
    ledger::account::disown(conn, consumer.uuid(), BalanceId::new(at).uuid()).await?;
    Ok(())
}
