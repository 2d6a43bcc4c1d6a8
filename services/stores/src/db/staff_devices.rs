//! Devices on which the staff of stores signed in.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::StoreId;

/// Returns whether the device signed in to the store with this code before.
pub(crate) async fn is_known(
    conn: &mut PgConnection,
    store_code: &str,
    device_hash: &[u8; 32],
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
               SELECT 1 FROM staff_devices JOIN staff_pins USING (store_id)
               WHERE store_code = $1 AND device_hash = $2) AS "is_known!""#,
        store_code,
        device_hash.as_slice(),
    )
    .fetch_one(conn)
    .await
}

pub(crate) async fn remember(
    tx: &mut PgConnection,
    store_id: StoreId,
    device_hash: &[u8; 32],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO staff_devices (store_id, device_hash, seen_at) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT staff_devices_pkey DO UPDATE SET seen_at = excluded.seen_at",
        store_id as StoreId,
        device_hash.as_slice(),
        now.to_sqlx() as _,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(crate) async fn forget_all_of(tx: &mut PgConnection, store_id: StoreId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM staff_devices WHERE store_id = $1",
        store_id as StoreId
    )
    .execute(tx)
    .await?;
    Ok(())
}
