//! Messages with gift cards that are not sent yet. Their times are of the database's clock, because replicas can have different ones.

use std::time::Duration;

use sqlx::PgConnection;
use types::GiftCardId;

use crate::domain::gift_card::Delivery;

/// Inserts a message that is due after a time.
pub async fn insert(conn: &mut PgConnection, gift_card_id: GiftCardId, delay: Duration) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO gift_card_deliveries (gift_card_id, due_at) VALUES ($1, now() + make_interval(secs => $2))
         ON CONFLICT ON CONSTRAINT gift_card_deliveries_pkey DO NOTHING",
        gift_card_id.uuid(),
        delay.as_secs_f64(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Leases messages that are due: another task finds them again after the lease.
pub async fn lease_due(conn: &mut PgConnection, lease: Duration, limit: i64) -> sqlx::Result<Vec<Delivery>> {
    sqlx::query_as!(
        Delivery,
        r#"UPDATE gift_card_deliveries d SET due_at = now() + make_interval(secs => $1), attempts = d.attempts + 1
           FROM (SELECT gift_card_id AS due_id FROM gift_card_deliveries WHERE due_at <= now()
                 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED) due, gift_cards card
           WHERE d.gift_card_id = due_id AND card.id = due_id
           RETURNING d.gift_card_id, card.purchase_id AS "purchase_id!", d.attempts"#,
        lease.as_secs_f64(),
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Retries a message after a time.
pub async fn retry_after(
    conn: &mut PgConnection,
    gift_card_id: GiftCardId,
    delay: Duration,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE gift_card_deliveries SET due_at = now() + make_interval(secs => $2) WHERE gift_card_id = $1",
        gift_card_id.uuid(),
        delay.as_secs_f64(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes a message that was sent, and returns whether it existed.
pub async fn delete(conn: &mut PgConnection, gift_card_id: GiftCardId) -> sqlx::Result<bool> {
    sqlx::query!(
        "DELETE FROM gift_card_deliveries WHERE gift_card_id = $1",
        gift_card_id.uuid()
    )
    .execute(conn)
    .await
    .map(|deleted| deleted.rows_affected() == 1)
}
