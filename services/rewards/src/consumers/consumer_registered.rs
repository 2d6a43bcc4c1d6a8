//! Somebody registered.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery};
use proto::accounts::v1::ConsumerRegistered;
use sqlx::PgConnection;

use super::happened;
use crate::ops::register_consumer::register_consumer;

pub(super) async fn handle(
    conn: &mut PgConnection,
    event: &Delivery,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let registered: ConsumerRegistered = event.decode()?;
    let phone_hash = Some(registered.phone_hash.as_str()).filter(|hash| !hash.is_empty());
    let at = happened(&registered.registered_at, now);
    register_consumer(conn, registered.consumer_id.parse()?, phone_hash, at, now)
        .await
        .map_err(ConsumeError::from)
}
