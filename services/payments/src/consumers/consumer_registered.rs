//! A consumer registered. Debts of a removed account with the same phone number belong to the new one.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::ops::register_consumer::register_consumer;

pub(super) async fn handle(
    consumer_id: ConsumerId,
    phone_hash: &str,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    Ok(register_consumer(tx, consumer_id, phone_hash, now).await?)
}
