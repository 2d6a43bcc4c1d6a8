//! Consumers and their devices.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::ConsumerId;
use uuid::Uuid;

/// A consumer as they are kept.
#[derive(Debug, Clone)]
pub struct Row {
    pub id: Uuid,
    pub phone: String,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub share_code: String,
    pub created_at: SqlTimestamp,
}

/// Registers a number. Answers whether it was new.
///
/// # Errors
/// The database's; `consumers_share_code_key` where the share code is taken.
pub async fn register(
    conn: &mut PgConnection,
    id: ConsumerId,
    phone: &str,
    share_code: &str,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO consumers (id, phone, share_code, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT consumers_phone_key DO NOTHING",
        id.uuid(),
        phone,
        share_code,
        at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The consumer of a number.
///
/// # Errors
/// The database's.
pub async fn find_by_phone(conn: &mut PgConnection, phone: &str) -> Result<Option<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        r#"SELECT id, phone, email, first_name, last_name, share_code, created_at as "created_at: SqlTimestamp"
           FROM consumers WHERE phone = $1"#,
        phone
    )
    .fetch_optional(conn)
    .await
}

/// A consumer.
///
/// # Errors
/// The database's.
pub async fn find(conn: &mut PgConnection, consumer: ConsumerId) -> Result<Option<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        r#"SELECT id, phone, email, first_name, last_name, share_code, created_at as "created_at: SqlTimestamp"
           FROM consumers WHERE id = $1"#,
        consumer.uuid()
    )
    .fetch_optional(conn)
    .await
}

/// Keeps a name, and the email where one is given. Answers whether the consumer is known.
///
/// # Errors
/// The database's.
pub async fn set_name(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    first_name: &str,
    last_name: &str,
    email: Option<&str>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE consumers SET first_name = $2, last_name = $3, email = coalesce($4, email) WHERE id = $1",
        consumer.uuid(),
        first_name,
        last_name,
        email,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether a device signed in to an account before.
///
/// # Errors
/// The database's.
pub async fn knows_device(conn: &mut PgConnection, phone: &str, device: &[u8]) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
               SELECT 1 FROM devices JOIN consumers ON consumers.id = devices.consumer_id
               WHERE consumers.phone = $1 AND devices.device = $2) as "known!""#,
        phone,
        device,
    )
    .fetch_one(conn)
    .await
}

/// Remembers that a device signed in.
///
/// # Errors
/// The database's.
pub async fn remember_device(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    device: &[u8],
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO devices (consumer_id, device, seen_at) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT devices_pkey DO UPDATE SET seen_at = excluded.seen_at",
        consumer.uuid(),
        device,
        at.to_sqlx() as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}
