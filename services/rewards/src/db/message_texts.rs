//! Texts of messages, from catalogs.

use sqlx::PgConnection;

use crate::domain::{
    catalog::CatalogMessage,
    message_text::{CatalogTexts, MessageText},
};

/// Returns the texts of these kinds that catalogs contain.
pub async fn find(conn: &mut PgConnection, kinds: &[String]) -> sqlx::Result<CatalogTexts> {
    let rows = sqlx::query!(
        "SELECT kind, title, body FROM message_texts WHERE kind = ANY($1)",
        kinds
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let text = MessageText {
                title: row.title,
                body: row.body,
            };
            (row.kind, text)
        })
        .collect())
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
