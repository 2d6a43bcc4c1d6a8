//! PINs, sessions and attempts of the staff of stores.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{CredentialId, StoreId};
use uuid::Uuid;

use crate::domain::{
    credential::StoreCredential,
    staff::{Attempt, RecentAttempts, StaffSession, StoreCode},
};

#[derive(Debug)]
pub(crate) struct PinRow {
    pub(crate) store_id: StoreId,
    pub(crate) pin_hash: String,
}

pub(crate) async fn find_pin(
    conn: &mut PgConnection,
    code: &StoreCode,
) -> Result<Option<PinRow>, sqlx::Error> {
    sqlx::query_as!(
        PinRow,
        r#"SELECT store_id AS "store_id: StoreId", pin_hash FROM staff_pins WHERE store_code = $1"#,
        code.as_str(),
    )
    .fetch_optional(conn)
    .await
}

/// Returns the hash of a store's PIN, which cannot change until the end of the transaction.
pub(crate) async fn lock_pin_hash(
    tx: &mut PgConnection,
    store_id: StoreId,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT pin_hash FROM staff_pins WHERE store_id = $1 FOR SHARE",
        store_id as StoreId
    )
    .fetch_optional(tx)
    .await
}

/// Returns the code of a store that has a PIN.
pub(crate) async fn find_code(
    conn: &mut PgConnection,
    store_id: StoreId,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT store_code FROM staff_pins WHERE store_id = $1",
        store_id as StoreId
    )
    .fetch_optional(conn)
    .await
}

/// Writes the code and the PIN of a store.
///
/// # Errors
/// Violates `staff_pins_store_fkey` if the store does not exist, `staff_pins_store_code_unique` if another has the code.
pub(crate) async fn upsert_pin(
    tx: &mut PgConnection,
    store_id: StoreId,
    code: &StoreCode,
    pin_hash: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO staff_pins (store_id, store_code, pin_hash, changed_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT staff_pins_pkey
         DO UPDATE SET store_code = excluded.store_code, pin_hash = excluded.pin_hash, changed_at = excluded.changed_at",
        store_id as StoreId,
        code.as_str(),
        pin_hash,
        now.to_sqlx() as _,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Serializes the attempts that count together.
pub(crate) async fn lock_attempts(tx: &mut PgConnection, attempt: &Attempt<'_>) -> Result<(), sqlx::Error> {
    let code = attempt.store_code;
    let keys = if attempt.is_of_known_device() {
        vec![format!("staff device {code} {:x?}", attempt.device_hash)]
    } else {
        vec![
            format!("staff code {code}"),
            format!("staff address {}", attempt.client_address),
        ]
    };
    // Sorted, so that two calls cannot deadlock.
    sqlx::query!(
        r#"SELECT pg_advisory_xact_lock(hash) AS "locked: ()"
           FROM (SELECT DISTINCT hashtextextended(key, 0) AS hash FROM unnest($1::text[]) AS key ORDER BY hash) AS keys"#,
        &keys,
    )
    .fetch_all(tx)
    .await?;
    Ok(())
}

/// Returns the attempts for a code on a known device, or on all unknown devices if the hash is empty.
pub(crate) async fn attempts_of_device(
    tx: &mut PgConnection,
    code: &str,
    device_hash: &[u8],
    since: Timestamp,
) -> Result<RecentAttempts, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT count(*) AS "count!", min(attempted_at) AS "oldest: jiff_sqlx::Timestamp",
                  max(attempted_at) AS "newest: jiff_sqlx::Timestamp"
           FROM staff_attempts WHERE store_code = $1 AND device_hash = $2 AND attempted_at > $3"#,
        code,
        device_hash,
        since.to_sqlx() as _,
    )
    .fetch_one(tx)
    .await?;
    Ok(RecentAttempts {
        count: row.count,
        oldest: row.oldest.map(jiff_sqlx::Timestamp::to_jiff),
        newest: row.newest.map(jiff_sqlx::Timestamp::to_jiff),
    })
}

/// Returns the attempts from an address on unknown devices.
pub(crate) async fn attempts_of_address(
    tx: &mut PgConnection,
    address: &str,
    since: Timestamp,
) -> Result<RecentAttempts, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT count(*) AS "count!", min(attempted_at) AS "oldest: jiff_sqlx::Timestamp",
                  max(attempted_at) AS "newest: jiff_sqlx::Timestamp"
           FROM staff_attempts WHERE client_address = $1 AND device_hash = '' AND attempted_at > $2"#,
        address,
        since.to_sqlx() as _,
    )
    .fetch_one(tx)
    .await?;
    Ok(RecentAttempts {
        count: row.count,
        oldest: row.oldest.map(jiff_sqlx::Timestamp::to_jiff),
        newest: row.newest.map(jiff_sqlx::Timestamp::to_jiff),
    })
}

pub(crate) async fn insert_attempt(
    tx: &mut PgConnection,
    id: Uuid,
    attempt: &Attempt<'_>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO staff_attempts (attempt_id, store_code, client_address, device_hash, attempted_at)
         VALUES ($1, $2, $3, $4, $5)",
        id,
        attempt.store_code,
        attempt.client_address,
        attempt.device_hash,
        now.to_sqlx() as _,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes the attempts on the device, or those from the address for the store, after a successful sign-in.
pub(crate) async fn delete_attempts(tx: &mut PgConnection, attempt: &Attempt<'_>) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM staff_attempts
         WHERE store_code = $1 AND device_hash = $2 AND (device_hash <> '' OR client_address = $3)",
        attempt.store_code,
        attempt.device_hash,
        attempt.client_address,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes expired sessions, attempts that no limit counts anymore, and devices that did not sign in for long.
pub(crate) async fn prune(
    tx: &mut PgConnection,
    now: Timestamp,
    attempts_before: Timestamp,
    devices_before: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM staff_sessions WHERE expires_at <= $1",
        now.to_sqlx() as _
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "DELETE FROM staff_attempts WHERE attempted_at <= $1",
        attempts_before.to_sqlx() as _,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "DELETE FROM staff_devices WHERE seen_at <= $1",
        devices_before.to_sqlx() as _,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(crate) async fn insert_session(
    tx: &mut PgConnection,
    session: &StaffSession,
    token_hash: &[u8; 32],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO staff_sessions (session_id, store_id, token_hash, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5)",
        session.id as CredentialId,
        session.store_id as StoreId,
        token_hash.as_slice(),
        now.to_sqlx() as _,
        session.expires_at.to_sqlx() as _,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Returns the access of a session that has not expired.
pub(crate) async fn find_session(
    conn: &mut PgConnection,
    token_hash: &[u8; 32],
    now: Timestamp,
) -> Result<Option<StoreCredential>, sqlx::Error> {
    sqlx::query_as!(
        StoreCredential,
        r#"SELECT session_id AS "id: CredentialId", false AS "all_stores!", ARRAY[store_id] AS "store_ids!: Vec<StoreId>"
           FROM staff_sessions WHERE token_hash = $1 AND expires_at > $2"#,
        token_hash.as_slice(),
        now.to_sqlx() as _,
    )
    .fetch_optional(conn)
    .await
}

pub(crate) async fn delete_session(tx: &mut PgConnection, token_hash: &[u8; 32]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM staff_sessions WHERE token_hash = $1",
        token_hash.as_slice()
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(crate) async fn delete_sessions_of(tx: &mut PgConnection, store_id: StoreId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM staff_sessions WHERE store_id = $1",
        store_id as StoreId
    )
    .execute(tx)
    .await?;
    Ok(())
}
