//! Feedback about the app.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::ConsumerId;
use uuid::Uuid;

/// Returns when the consumer sent the `position`-th newest message, counted from 1. Locks the consumer's feedback until the
/// end of the transaction, so that concurrent requests cannot exceed a limit.
pub async fn lock_nth_newest(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    position: i64,
) -> Result<Option<Timestamp>, sqlx::Error> {
    let lock_name = format!("user_feedback {consumer_id}");
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", lock_name)
        .fetch_one(&mut *conn)
        .await?;
    let sent_at = sqlx::query_scalar!(
        r#"SELECT created_at AS "created_at: SqlTimestamp" FROM user_feedback WHERE consumer_id = $1
           ORDER BY created_at DESC OFFSET $2 LIMIT 1"#,
        consumer_id.uuid(),
        position - 1,
    )
    .fetch_optional(conn)
    .await?;
    Ok(sent_at.map(SqlTimestamp::to_jiff))
}

/// Does nothing if the consumer was removed.
pub async fn insert(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    message: &str,
    created_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO user_feedback (id, consumer_id, message, created_at)
         SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM removed_consumers WHERE consumer_id = $2)",
        Uuid::new_v4(),
        consumer_id.uuid(),
        message,
        created_at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn delete(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM user_feedback WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}
