//! The inbox.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, MessageId, OrderId, Page};
use uuid::Uuid;

use crate::domain::Notice;

/// A message as its reader sees it.
#[derive(Debug, Clone)]
pub struct Message {
    pub id: MessageId,
    pub kind: String,
    pub title: String,
    pub body: String,
    pub order: Option<OrderId>,
    pub at: Timestamp,
    pub seen: bool,
}

/// How many messages there are, and how many nobody has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    pub total: u32,
    pub unseen: u32,
}

/// Writes a message, once for each reference; `None` where it was told before.
pub async fn insert(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    reference: &str,
    notice: &Notice,
    order: Option<OrderId>,
    at: Timestamp,
) -> sqlx::Result<Option<MessageId>> {
    sqlx::query_scalar!(
        "INSERT INTO messages (message_id, consumer_id, reference, kind, title, body, order_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT ON CONSTRAINT messages_told_once DO NOTHING RETURNING message_id",
        MessageId::new(at).uuid(),
        consumer.uuid(),
        reference,
        notice.kind,
        notice.title,
        notice.body,
        order.map(OrderId::uuid),
        at.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// A page of the inbox, newest first.
pub async fn list(conn: &mut PgConnection, consumer: ConsumerId, page: Page) -> sqlx::Result<Vec<Message>> {
    let rows = sqlx::query!(
        r#"SELECT message_id, kind, title, body, order_id, created_at, seen_at IS NOT NULL AS "seen!"
           FROM messages WHERE consumer_id = $1 AND removed_at IS NULL
           ORDER BY created_at DESC, message_id DESC LIMIT $2 OFFSET $3"#,
        consumer.uuid(),
        page.limit(),
        page.offset(),
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Message {
            id: row.message_id,
            kind: row.kind,
            title: row.title,
            body: row.body,
            order: row.order_id,
            at: row.created_at.into(),
            seen: row.seen,
        })
        .collect())
}

/// How many there are.
pub async fn count(conn: &mut PgConnection, consumer: ConsumerId) -> sqlx::Result<Counts> {
    let row = sqlx::query!(
        r#"SELECT count(*) AS "total!", count(*) FILTER (WHERE seen_at IS NULL) AS "unseen!"
           FROM messages WHERE consumer_id = $1 AND removed_at IS NULL"#,
        consumer.uuid(),
    )
    .fetch_one(conn)
    .await?;
    let narrow = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(Counts {
        total: narrow(row.total),
        unseen: narrow(row.unseen),
    })
}

/// Marks a consumer's messages as seen: these, or all where none is named.
pub async fn mark_seen(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    messages: &[Uuid],
    at: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE messages SET seen_at = $3
         WHERE consumer_id = $1 AND seen_at IS NULL AND (cardinality($2::uuid[]) = 0 OR message_id = ANY($2))",
        consumer.uuid(),
        messages,
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Takes a consumer's messages out of the inbox.
pub async fn remove(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    messages: &[Uuid],
    at: Timestamp,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE messages SET removed_at = $3
         WHERE consumer_id = $1 AND removed_at IS NULL AND message_id = ANY($2)",
        consumer.uuid(),
        messages,
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Erases everything that a consumer was told.
pub async fn erase(conn: &mut PgConnection, consumer: ConsumerId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM messages WHERE consumer_id = $1", consumer.uuid())
        .execute(conn)
        .await
        .map(drop)
}
