//! Forgets a consumer who was removed.

use jiff::Timestamp;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::db;

/// Drops what the consumer liked, and leaves a tombstone for what still arrives.
///
/// # Errors
/// The database's.
pub async fn forget_consumer(
    tx: &mut PgConnection,
    consumer: ConsumerId,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    db::favorites::forget(tx, consumer, now).await
}
