//! A consumer was removed.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery};
use proto::accounts::v1::ConsumerRemoved;
use sqlx::PgConnection;

use crate::ops::forget::forget;

pub(super) async fn handle(
    conn: &mut PgConnection,
    event: &Delivery,
    at: Timestamp,
) -> Result<(), ConsumeError> {
    let removed = event.decode::<ConsumerRemoved>()?;
    Ok(forget(conn, removed.consumer_id.parse()?, at).await?)
}
