//! Which stores consumers like.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, StoreId};

/// Likes a store. Says whether there is such a store (and such a consumer still).
///
/// # Errors
/// The database's.
pub async fn add(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    store: StoreId,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    // The update changes nothing; it only counts the row that was there already.
    let written = sqlx::query!(
        "INSERT INTO favorites (consumer_id, store_id, favored_at)
         SELECT $1, store_id, $3 FROM stores
         WHERE store_id = $2 AND NOT EXISTS (SELECT FROM removed_consumers WHERE consumer_id = $1)
         ON CONFLICT ON CONSTRAINT favorites_pkey DO UPDATE SET favored_at = favorites.favored_at",
        consumer as ConsumerId,
        store as StoreId,
        at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// Likes a store no more.
///
/// # Errors
/// The database's.
pub async fn remove(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    store: StoreId,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM favorites WHERE consumer_id = $1 AND store_id = $2",
        consumer as ConsumerId,
        store as StoreId,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets a consumer, and remembers that they are gone.
///
/// # Errors
/// The database's.
pub async fn forget(tx: &mut PgConnection, consumer: ConsumerId, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO removed_consumers (consumer_id, removed_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        consumer as ConsumerId,
        at.to_sqlx() as _,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "DELETE FROM favorites WHERE consumer_id = $1",
        consumer as ConsumerId
    )
    .execute(tx)
    .await?;
    Ok(())
}
