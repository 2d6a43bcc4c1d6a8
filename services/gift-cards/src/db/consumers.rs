//! Consumers we have met, and those who left.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;

/// Notes a consumer and says whether they are still with us; they stay so until the transaction ends.
pub async fn enter(conn: &mut PgConnection, consumer: ConsumerId) -> sqlx::Result<bool> {
    sqlx::query!(
        "INSERT INTO consumers (consumer_id) VALUES ($1) ON CONFLICT DO NOTHING",
        consumer.uuid()
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query_scalar!(
        r#"SELECT removed_at IS NULL AS "here!" FROM consumers WHERE consumer_id = $1 FOR SHARE"#,
        consumer.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Notes that a consumer left. Waits for whoever has entered them.
pub async fn remove(conn: &mut PgConnection, consumer: ConsumerId, at: Timestamp) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO consumers (consumer_id, removed_at) VALUES ($1, $2)
         ON CONFLICT ON CONSTRAINT consumers_pkey
         DO UPDATE SET removed_at = coalesce(consumers.removed_at, excluded.removed_at)",
        consumer.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}
