//! The server's copies of carts.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::ConsumerId;

/// Keeps a consumer's cart, in place of the earlier one.
///
/// # Errors
/// The database's.
pub async fn save(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    cart: &serde_json::Value,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO saved_carts (consumer_id, cart, saved_at) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT saved_carts_pkey DO UPDATE SET cart = excluded.cart, saved_at = excluded.saved_at",
        consumer.uuid(),
        cart,
        at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The cart that is kept for a consumer.
///
/// # Errors
/// The database's.
pub async fn find(
    conn: &mut PgConnection,
    consumer: ConsumerId,
) -> Result<Option<(serde_json::Value, Timestamp)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT cart, saved_at as "saved_at: SqlTimestamp" FROM saved_carts WHERE consumer_id = $1"#,
        consumer.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.cart, row.saved_at.to_jiff())))
}

/// Forgets a consumer's cart.
///
/// # Errors
/// The database's.
pub async fn delete(conn: &mut PgConnection, consumer: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM saved_carts WHERE consumer_id = $1", consumer.uuid())
        .execute(conn)
        .await?;
    Ok(())
}
