//! Inbox messages.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, MessageId, OrderId, Page};
use uuid::Uuid;

use crate::domain::{
    inbox::{InboxMessage, MessageCounts, NewMessage},
    message_text::MessageText,
};

/// Inserts a message, or returns `None` if the consumer has one with this reference, even a removed one.
pub async fn insert(
    conn: &mut PgConnection,
    message: &NewMessage,
    text: &MessageText,
) -> sqlx::Result<Option<MessageId>> {
    sqlx::query_scalar!(
        "INSERT INTO messages (message_id, consumer_id, reference, kind, title, body, order_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT ON CONSTRAINT messages_reference_unique DO NOTHING RETURNING message_id",
        MessageId::new(message.at).uuid(),
        message.consumer_id.uuid(),
        message.reference,
        message.notification.kind,
        text.title,
        text.body,
        message.order_id.map(OrderId::uuid),
        message.at.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Replaces the text of the message with this reference, and returns whether there is one. Does not change whether it
/// is seen or removed.
pub async fn replace(
    conn: &mut PgConnection,
    message: &NewMessage,
    text: &MessageText,
) -> sqlx::Result<bool> {
    let updated = sqlx::query!(
        "UPDATE messages SET kind = $3, title = $4, body = $5, created_at = $6
         WHERE consumer_id = $1 AND reference = $2",
        message.consumer_id.uuid(),
        message.reference,
        message.notification.kind,
        text.title,
        text.body,
        message.at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Replaces the message with this reference by an unseen one if it is of another kind, and returns its id.
pub async fn replace_other_kind(
    conn: &mut PgConnection,
    message: &NewMessage,
    text: &MessageText,
) -> sqlx::Result<Option<MessageId>> {
    sqlx::query_scalar!(
        "UPDATE messages SET kind = $3, title = $4, body = $5, created_at = $6, seen_at = NULL, removed_at = NULL
         WHERE consumer_id = $1 AND reference = $2 AND kind <> $3
         RETURNING message_id",
        message.consumer_id.uuid(),
        message.reference,
        message.notification.kind,
        text.title,
        text.body,
        message.at.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Returns a page of the inbox, newest first.
pub async fn list(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    page: Page,
) -> sqlx::Result<Vec<InboxMessage>> {
    let rows = sqlx::query!(
        r#"SELECT message_id, kind, title, body, order_id, created_at, seen_at IS NOT NULL AS "is_seen!"
           FROM messages WHERE consumer_id = $1 AND removed_at IS NULL
           ORDER BY created_at DESC, message_id DESC LIMIT $2 OFFSET $3"#,
        consumer_id.uuid(),
        page.limit(),
        page.offset(),
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| InboxMessage {
            id: row.message_id,
            kind: row.kind,
            title: row.title,
            body: row.body,
            order_id: row.order_id,
            at: row.created_at.into(),
            is_seen: row.is_seen,
        })
        .collect())
}

/// Counts the messages that were not removed.
pub async fn count(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<MessageCounts> {
    let row = sqlx::query!(
        r#"SELECT count(*) AS "total!", count(*) FILTER (WHERE seen_at IS NULL) AS "unseen!"
           FROM messages WHERE consumer_id = $1 AND removed_at IS NULL"#,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await?;
    let saturate = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(MessageCounts {
        total: saturate(row.total),
        unseen: saturate(row.unseen),
    })
}

/// Counts the unseen messages that were not removed.
pub async fn count_unseen(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<u32> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM messages
           WHERE consumer_id = $1 AND seen_at IS NULL AND removed_at IS NULL"#,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Marks the consumer's messages with these ids as seen; all messages if `message_ids` is empty.
pub async fn mark_as_seen(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    message_ids: &[Uuid],
    at: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE messages SET seen_at = $3
         WHERE consumer_id = $1 AND seen_at IS NULL AND (cardinality($2::uuid[]) = 0 OR message_id = ANY($2))",
        consumer_id.uuid(),
        message_ids,
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Removes the consumer's messages with these ids from the inbox. Their rows stay, so that a repeated event does not
/// add them again.
pub async fn remove(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    message_ids: &[Uuid],
    at: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE messages SET removed_at = $3
         WHERE consumer_id = $1 AND removed_at IS NULL AND message_id = ANY($2)",
        consumer_id.uuid(),
        message_ids,
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes all messages of the consumer.
pub async fn delete_all(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM messages WHERE consumer_id = $1", consumer_id.uuid())
        .execute(conn)
        .await
        .map(drop)
}

/// Deletes up to `limit` messages that were seen or removed before an instant. Returns their number.
pub async fn delete_handled(conn: &mut PgConnection, before: Timestamp, limit: i64) -> sqlx::Result<u64> {
    sqlx::query!(
        "DELETE FROM messages WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM messages WHERE coalesce(removed_at, seen_at) <= $1
             ORDER BY coalesce(removed_at, seen_at) LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
}

/// Deletes up to `limit` unseen messages from before an instant. Returns their number.
pub async fn delete_unseen(conn: &mut PgConnection, before: Timestamp, limit: i64) -> sqlx::Result<u64> {
    sqlx::query!(
        "DELETE FROM messages WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM messages WHERE created_at <= $1 AND seen_at IS NULL AND removed_at IS NULL
             ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
}
