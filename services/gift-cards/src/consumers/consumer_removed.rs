//! A consumer left.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery};
use proto::accounts::v1::ConsumerRemoved;
use sqlx::PgConnection;

use crate::ops;

pub(super) async fn handle(
    conn: &mut PgConnection,
    event: &Delivery,
    at: Timestamp,
) -> Result<(), ConsumeError> {
    let consumer = event.decode::<ConsumerRemoved>()?.consumer_id.parse()?;
    ops::remove_consumer::remove_consumer(conn, consumer, at)
        .await
        .map_err(ConsumeError::from)
}
