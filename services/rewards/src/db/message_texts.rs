//! Texts of messages, from catalogs.

use sqlx::PgConnection;

use crate::domain::{catalog::CatalogMessage, notification::MessageText};

pub async fn find(conn: &mut PgConnection, kind: &str) -> sqlx::Result<Option<MessageText>> {
    sqlx::query_as!(
        MessageText,
        "SELECT title, body FROM message_texts WHERE kind = $1",
        kind
    )
    .fetch_optional(conn)
    .await
}

/// Inserts or replaces a text of the catalog and returns `true`. Returns `false` if the kind belongs to another catalog.
pub async fn upsert(conn: &mut PgConnection, catalog: &str, message: &CatalogMessage) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO message_texts (kind, catalog, title, body) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT message_texts_pkey
         DO UPDATE SET title = excluded.title, body = excluded.body
         WHERE message_texts.catalog = excluded.catalog",
        message.kind,
        catalog,
        message.text.title,
        message.text.body,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes the texts of the catalog that are not for these kinds.
pub async fn delete_others(conn: &mut PgConnection, catalog: &str, kinds: &[String]) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM message_texts WHERE catalog = $1 AND NOT kind = ANY($2)",
        catalog,
        kinds,
    )
    .execute(conn)
    .await
    .map(drop)
}
