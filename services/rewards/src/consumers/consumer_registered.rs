//! Registers the consumer.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::accounts::v1::ConsumerRegistered;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::{config::Rules, convert::event::changed_at, ops::register_consumer::register_consumer};

pub(super) async fn handle(
    consumer_id: ConsumerId,
    phone_hash: Option<String>,
    registered: ConsumerRegistered,
    tx: &mut PgConnection,
    rules: Rules,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let registered_at = changed_at(&registered.registered_at, now);
    let referrer_id = match registered.referrer_id.as_str() {
        "" => None,
        id => Some(id.parse()?),
    };
    register_consumer(
        tx,
        rules,
        consumer_id,
        phone_hash.as_deref(),
        referrer_id,
        registered_at,
        now,
    )
    .await?;
    Ok(())
}
