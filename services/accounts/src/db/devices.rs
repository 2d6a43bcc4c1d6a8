//! Devices that consumers signed in with.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::domain::device::KnownDevice;

/// Returns whether the device signed in to the account before.
pub(crate) async fn is_known(
    conn: &mut PgConnection,
    phone: &str,
    device_hash: &[u8],
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
               SELECT 1 FROM devices JOIN consumers ON consumers.id = devices.consumer_id
               WHERE consumers.phone = $1 AND devices.device_hash = $2) AS "is_known!""#,
        phone,
        device_hash,
    )
    .fetch_one(conn)
    .await
}

pub(crate) async fn remember(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    device_hash: &[u8],
    name: &str,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO devices (consumer_id, device_hash, name, seen_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT devices_pkey DO UPDATE SET seen_at = excluded.seen_at, name = excluded.name",
        consumer.uuid(),
        device_hash,
        name,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns the devices of a consumer that have no active session, most recently used first.
pub(crate) async fn list_signed_out(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    now: Timestamp,
) -> Result<Vec<KnownDevice>, sqlx::Error> {
    sqlx::query_as!(
        KnownDevice,
        "SELECT device_hash, name, seen_at AS last_signed_in_at FROM devices
         WHERE consumer_id = $1 AND NOT EXISTS (
             SELECT 1 FROM sessions
             WHERE sessions.consumer_id = devices.consumer_id AND sessions.device_hash = devices.device_hash
                AND sessions.ended_at IS NULL AND sessions.expires_at > $2)
         ORDER BY seen_at DESC LIMIT 100",
        consumer.uuid(),
        now.to_sqlx(),
    )
    .fetch_all(conn)
    .await
}

/// Does nothing if the device is not known.
pub(crate) async fn delete(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    device_hash: &[u8],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM devices WHERE consumer_id = $1 AND device_hash = $2",
        consumer.uuid(),
        device_hash
    )
    .execute(conn)
    .await?;
    Ok(())
}
