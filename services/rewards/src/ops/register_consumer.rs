//! Somebody registered.

use jiff::Timestamp;
use sqlx::PgConnection;
use types::ConsumerId;

use super::tell::tell;
use crate::{db, domain::Notice};

/// Notes a consumer's phone number for claims that are made once, and welcomes them.
pub(crate) async fn register_consumer(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    phone_hash: Option<&str>,
    at: Timestamp,
    now: Timestamp,
) -> sqlx::Result<()> {
    if !db::consumers::register(conn, consumer, phone_hash).await? {
        return Ok(());
    }
    if let Some(phone_hash) = phone_hash {
        db::claims::note_phone(conn, consumer, phone_hash).await?;
    }
    tell(conn, consumer, "welcome", &Notice::welcome(), None, at, now).await
}
