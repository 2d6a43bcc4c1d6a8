//! Saved carts.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, types::Json};
use types::ConsumerId;

use crate::domain::cart::CartDraft;

/// Replaces the consumer's saved cart.
pub async fn save(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    cart: &CartDraft,
    saved_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO saved_carts (consumer_id, cart, saved_at) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT saved_carts_pkey DO UPDATE SET cart = excluded.cart, saved_at = excluded.saved_at",
        consumer_id.uuid(),
        Json(cart) as _,
        saved_at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns the consumer's cart and when it was saved.
pub async fn find(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<Option<(CartDraft, Timestamp)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT cart AS "cart: Json<CartDraft>", saved_at AS "saved_at: SqlTimestamp"
           FROM saved_carts WHERE consumer_id = $1"#,
        consumer_id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.cart.0, row.saved_at.to_jiff())))
}

pub async fn delete(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM saved_carts WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}
