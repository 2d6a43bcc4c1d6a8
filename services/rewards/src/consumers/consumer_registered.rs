//! Registers the consumer.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::accounts::v1::ConsumerRegistered;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::{convert::event::changed_at, ops::register_consumer::register_consumer};

pub(super) async fn handle(
    consumer_id: ConsumerId,
    phone_hash: Option<String>,
    registered: ConsumerRegistered,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let registered_at = changed_at(&registered.registered_at, now);
    register_consumer(tx, consumer_id, phone_hash.as_deref(), registered_at, now).await?;
    Ok(())
}
