//! The consumer closed their account. Erases their personal data.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::ops::remove_consumer::remove_consumer;

pub(super) async fn handle(
    consumer_id: ConsumerId,
    phone_hash: &str,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    Ok(remove_consumer(tx, consumer_id, phone_hash, now).await?)
}
