use jiff::Timestamp;
use kit::InternalError;
use ledger::Unit;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::db::{
    accounts::{CLOSED_ACCOUNTS, JOEPASS},
    consumers,
};

/// Closes the consumer's account and writes a tombstone, so that a late request opens no new one. Postings stay,
/// without the consumer.
pub(crate) async fn remove_consumer(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    at: Timestamp,
) -> Result<(), InternalError> {
    consumers::remove(conn, consumer_id, at).await?;
    ledger::close_account(conn, JOEPASS, consumer_id.uuid(), Unit::Usd, CLOSED_ACCOUNTS, at).await?;
    Ok(())
}
