//! Favorite stores of consumers.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, StoreId};

/// Adds a favorite. Returns false if the store does not exist or the consumer was removed.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    store_id: StoreId,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    // The update has no effect, except that an existing favorite counts as an affected row.
    let written = sqlx::query!(
        "INSERT INTO favorites (consumer_id, store_id, favored_at)
         SELECT $1, store_id, $3 FROM stores
         WHERE store_id = $2 AND NOT EXISTS (SELECT FROM removed_consumers WHERE consumer_id = $1)
         ON CONFLICT ON CONSTRAINT favorites_pkey DO UPDATE SET favored_at = favorites.favored_at",
        consumer_id as ConsumerId,
        store_id as StoreId,
        now.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(written.rows_affected() == 1)
}

pub(crate) async fn delete(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    store_id: StoreId,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM favorites WHERE consumer_id = $1 AND store_id = $2",
        consumer_id as ConsumerId,
        store_id as StoreId,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes the favorites of a consumer, and writes a tombstone that rejects new ones.
pub(crate) async fn delete_consumer(
    tx: &mut PgConnection,
    consumer_id: ConsumerId,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO removed_consumers (consumer_id, removed_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        consumer_id as ConsumerId,
        now.to_sqlx() as _,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "DELETE FROM favorites WHERE consumer_id = $1",
        consumer_id as ConsumerId
    )
    .execute(tx)
    .await?;
    Ok(())
}
