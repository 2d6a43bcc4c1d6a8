//! Deletes the data of a removed consumer.

use jiff::Timestamp;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::db;

/// Deletes the consumer's favorites and usual items, and writes a tombstone that rejects new ones.
pub(crate) async fn delete_consumer(
    tx: &mut PgConnection,
    consumer_id: ConsumerId,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    db::favorites::delete_consumer(tx, consumer_id, now).await?;
    db::usual_items::delete_consumer(tx, consumer_id).await
}
