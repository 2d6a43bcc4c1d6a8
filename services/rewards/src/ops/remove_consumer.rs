//! A consumer left: messages are erased, the books stay without the person, once-only claims stay on the phone number's
//! hash.

use jiff::Timestamp;
use kit::InternalError;
use ledger::{Overdraft, Posting, Unit};
use sqlx::PgConnection;
use types::{ConsumerId, EntryId};

use super::books;
use crate::db;

/// Erases or anonymises all that is theirs, and lets nothing late reach them.
pub(crate) async fn remove_consumer(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    phone_hash: Option<&str>,
    at: Timestamp,
) -> Result<(), InternalError> {
    db::consumers::remove(conn, consumer, at).await?;
    if let Some(phone_hash) = phone_hash {
        db::claims::note_phone(conn, consumer, phone_hash).await?;
    }
    db::claims::forget(conn, consumer).await?;
    db::messages::erase(conn, consumer).await?;
    let Some(account) = books::find(conn, consumer).await? else {
        return Ok(());
    };
    let left = ledger::account::lock(conn, account).await?.unwrap_or_default();
    if left != 0 {
        let (from, to) = if left > 0 {
            (account, books::DEPARTED)
        } else {
            (books::DEPARTED, account)
        };
        let posting = Posting {
            reference: &format!("account:{}:departed", account.uuid()),
            from,
            to,
            unit: Unit::Points,
            amount: left.abs(),
            overdraft: Overdraft::Refused,
            kind: "account_closed",
            explanation: "Account closed",
            subject: None,
            at,
        };
        ledger::post(conn, posting).await.map_err(books::fault)?;
    }
    ledger::account::disown(conn, consumer.uuid(), EntryId::new(at).uuid()).await?;
    Ok(())
}
