//! Saved carts.

use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, types::Json};
use types::ConsumerId;

use crate::domain::saved_cart::SavedCart;

/// Replaces the consumer's saved cart. Does nothing if the consumer was removed.
pub async fn save(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    cart: &SavedCart,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO saved_carts (consumer_id, cart, snapshot, saved_at)
         SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM removed_consumers WHERE consumer_id = $1)
         ON CONFLICT ON CONSTRAINT saved_carts_pkey
         DO UPDATE SET cart = excluded.cart, snapshot = excluded.snapshot, saved_at = excluded.saved_at",
        consumer_id.uuid(),
        Json(&cart.draft) as _,
        cart.snapshot.as_ref().map(Json) as _,
        cart.saved_at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
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

pub async fn delete(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM saved_carts WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}
