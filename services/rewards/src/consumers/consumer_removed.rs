//! A consumer left.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery};
use proto::accounts::v1::ConsumerRemoved;
use sqlx::PgConnection;

use crate::ops::remove_consumer::remove_consumer;

pub(super) async fn handle(
    conn: &mut PgConnection,
    event: &Delivery,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    let removed: ConsumerRemoved = event.decode()?;
    let phone_hash = Some(removed.phone_hash.as_str()).filter(|hash| !hash.is_empty());
    remove_consumer(conn, removed.consumer_id.parse()?, phone_hash, now)
        .await
        .map_err(ConsumeError::from)
}
