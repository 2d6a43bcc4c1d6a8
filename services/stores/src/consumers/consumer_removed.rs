//! A consumer is gone.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery};
use proto::accounts::v1::ConsumerRemoved;
use sqlx::PgConnection;

use crate::ops;

pub async fn handle(event: &Delivery, tx: &mut PgConnection, now: Timestamp) -> Result<(), ConsumeError> {
    let removed: ConsumerRemoved = event.decode()?;
    ops::forget_consumer::forget_consumer(tx, removed.consumer_id.parse()?, now).await?;
    Ok(())
}
