//! A consumer is gone.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Incoming};
use proto::accounts::v1::ConsumerRemoved;
use sqlx::PgConnection;

use crate::ops;

pub async fn handle(event: &Incoming, tx: &mut PgConnection, now: Timestamp) -> Result<(), ConsumeError> {
    let removed: ConsumerRemoved = event.decode()?;
    ops::forget_consumer::forget_consumer(tx, removed.consumer_id.parse()?, now).await?;
    Ok(())
}
