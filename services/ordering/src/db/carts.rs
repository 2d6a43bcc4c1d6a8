//! Saved carts.

use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, types::Json};
use types::ConsumerId;

use crate::domain::saved_cart::SavedCart;

/// Replaces the consumer's saved cart. Does nothing if a newer cart was saved, the cart was ordered, or the consumer was removed.
///
/// Returns whether the cart was saved.
pub async fn save(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    cart: &SavedCart,
) -> Result<bool, sqlx::Error> {
    let saved = sqlx::query!(
        "INSERT INTO saved_carts (consumer_id, cart, snapshot, saved_at)
         SELECT $1, $2, $3, $4
         WHERE NOT EXISTS (SELECT FROM removed_consumers WHERE consumer_id = $1)
           AND NOT EXISTS (SELECT FROM orders WHERE consumer_id = $1 AND cart_id = $5
                             AND status NOT IN ('payment_failed', 'cancelled', 'rejected'))
         ON CONFLICT ON CONSTRAINT saved_carts_pkey
         DO UPDATE SET cart = excluded.cart, snapshot = excluded.snapshot, saved_at = excluded.saved_at
         WHERE saved_carts.saved_at <= excluded.saved_at",
        consumer_id.uuid(),
        Json(&cart.draft) as _,
        cart.snapshot.as_ref().map(Json) as _,
        cart.saved_at.to_sqlx() as _,
        cart.draft.cart_id,
    )
    .execute(conn)
    .await?;
    Ok(saved.rows_affected() == 1)
}

/// Returns `None` also for a cart that cannot be read.
pub async fn find(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<Option<SavedCart>, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT cart, snapshot, saved_at AS "saved_at: SqlTimestamp" FROM saved_carts WHERE consumer_id = $1"#,
        consumer_id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.and_then(|row| SavedCart::from_stored(row.cart, row.snapshot, row.saved_at.to_jiff())))
}

/// Deletes the consumer's saved cart. With an id, only the cart with this id.
pub async fn delete(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    cart_id: Option<&str>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM saved_carts WHERE consumer_id = $1 AND ($2::text IS NULL OR cart ->> 'cart_id' = $2)",
        consumer_id.uuid(),
        cart_id,
    )
    .execute(conn)
    .await?;
    Ok(())
}
