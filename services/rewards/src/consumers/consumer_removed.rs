//! Erases the consumer's data.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::ops::remove_consumer::remove_consumer;

pub(super) async fn handle(
    consumer_id: ConsumerId,
    phone_hash: Option<String>,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    remove_consumer(tx, consumer_id, phone_hash.as_deref(), now).await?;
    Ok(())
}
