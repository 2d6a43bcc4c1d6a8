//! The consumer closed their account. Deletes their data.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::ops;

pub(super) async fn handle(
    consumer_id: ConsumerId,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    ops::delete_consumer::delete_consumer(tx, consumer_id, now).await?;
    Ok(())
}
