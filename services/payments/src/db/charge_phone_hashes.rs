//! Keyed hashes of the phone numbers of removed consumers, for their bank debits that can still be returned.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ChargeId;
use uuid::Uuid;

/// Inserts the hash for those of the charges that can still become a debt: bank debits that are younger than `retention`.
pub async fn insert_for_returnable(
    conn: &mut PgConnection,
    charge_ids: &[ChargeId],
    phone_hash: &str,
    retention: Duration,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let ids: Vec<Uuid> = charge_ids.iter().map(|id| id.uuid()).collect();
    sqlx::query!(
        "INSERT INTO charge_phone_hashes (charge_id, phone_hash, expires_at)
         SELECT id, $2, created_at + make_interval(secs => $3) FROM charges
         WHERE id = ANY ($1) AND method_kind = 'bank' AND state NOT IN ('voided', 'declined')
           AND created_at + make_interval(secs => $3) > $4
           AND NOT EXISTS (SELECT FROM debts WHERE debts.charge_id = charges.id)
         ON CONFLICT ON CONSTRAINT charge_phone_hashes_pkey DO NOTHING",
        &ids,
        phone_hash,
        retention.as_secs_f64(),
        now.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes the hash of a charge and returns it.
pub async fn take(conn: &mut PgConnection, charge_id: ChargeId) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "DELETE FROM charge_phone_hashes WHERE charge_id = $1 RETURNING phone_hash",
        charge_id.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Deletes up to `limit` hashes that expired before an instant, oldest first. Returns their number.
pub async fn delete_expired(conn: &mut PgConnection, at: Timestamp, limit: i64) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM charge_phone_hashes WHERE charge_id = ANY (ARRAY (
             SELECT charge_id FROM charge_phone_hashes WHERE expires_at <= $1
             ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
        at.to_sqlx(),
        limit,
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
