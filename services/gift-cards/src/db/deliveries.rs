//! Messages with gift cards that are not sent yet.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::GiftCardId;

use crate::domain::gift_card::Delivery;

pub async fn insert(
    conn: &mut PgConnection,
    gift_card_id: GiftCardId,
    due_at: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO gift_card_deliveries (gift_card_id, due_at) VALUES ($1, $2)
         ON CONFLICT ON CONSTRAINT gift_card_deliveries_pkey DO NOTHING",
        gift_card_id.uuid(),
        due_at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Leases messages that are due: another task finds them again after the lease.
pub async fn lease_due(
    conn: &mut PgConnection,
    now: Timestamp,
    lease: Duration,
    limit: i64,
) -> sqlx::Result<Vec<Delivery>> {
    sqlx::query_as!(
        Delivery,
        r#"UPDATE gift_card_deliveries d SET due_at = $2, attempts = d.attempts + 1
           FROM (SELECT gift_card_id AS due_id FROM gift_card_deliveries WHERE due_at <= $1
                 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED) due, gift_cards card
           WHERE d.gift_card_id = due_id AND card.id = due_id
           RETURNING d.gift_card_id, card.purchase_id AS "purchase_id!", d.attempts"#,
        now.to_sqlx(),
        (now + lease).to_sqlx(),
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Sets when a message is retried.
pub async fn retry_at(
    conn: &mut PgConnection,
    gift_card_id: GiftCardId,
    due_at: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE gift_card_deliveries SET due_at = $2 WHERE gift_card_id = $1",
        gift_card_id.uuid(),
        due_at.to_sqlx(),
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
