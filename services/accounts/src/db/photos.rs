//! Photos of consumers and the files to delete. The files are in the photo store.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;
use uuid::Uuid;

/// The photo that an update replaced.
#[derive(Debug)]
pub(crate) struct Replaced {
    pub(crate) photo_id: Option<Uuid>,
}

/// Sets the consumer's photo. Returns the previous one, or `None` if the consumer does not exist.
pub(crate) async fn replace(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    photo_id: Uuid,
) -> Result<Option<Replaced>, sqlx::Error> {
    sqlx::query_as!(
        Replaced,
        r#"WITH previous AS (SELECT id, photo_id FROM consumers WHERE id = $1 FOR UPDATE)
           UPDATE consumers SET photo_id = $2 FROM previous WHERE consumers.id = previous.id
           RETURNING previous.photo_id AS "photo_id?""#,
        consumer.uuid(),
        photo_id,
    )
    .fetch_optional(conn)
    .await
}

/// Removes the consumer's photo. Returns it, or `None` if there was none.
pub(crate) async fn remove(
    conn: &mut PgConnection,
    consumer: ConsumerId,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"WITH previous AS (
               SELECT id, photo_id FROM consumers WHERE id = $1 AND photo_id IS NOT NULL FOR UPDATE)
           UPDATE consumers SET photo_id = NULL FROM previous WHERE consumers.id = previous.id
           RETURNING previous.photo_id AS "photo_id!""#,
        consumer.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Plans the deletion of a file.
pub(crate) async fn plan_deletion(
    conn: &mut PgConnection,
    photo_id: Uuid,
    delete_after: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO photo_deletions (photo_id, delete_after) VALUES ($1, $2)",
        photo_id,
        delete_after.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns files that are due for deletion, oldest first.
pub(crate) async fn list_due(
    conn: &mut PgConnection,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT photo_id FROM photo_deletions WHERE delete_after <= $1 ORDER BY delete_after LIMIT $2",
        now.to_sqlx(),
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Ends a planned deletion: the file was deleted, or is in use. Returns `false` if it is not planned.
pub(crate) async fn end_deletion(conn: &mut PgConnection, photo_id: Uuid) -> Result<bool, sqlx::Error> {
    let deleted = sqlx::query!("DELETE FROM photo_deletions WHERE photo_id = $1", photo_id)
        .execute(conn)
        .await?;
    Ok(deleted.rows_affected() == 1)
}
