//! Keyed hashes of the phone numbers of registered consumers.

use sqlx::PgConnection;
use types::ConsumerId;

/// Serializes registrations, removals and debts of one phone number until the transaction ends.
pub async fn lock(conn: &mut PgConnection, phone_hash: &str) -> Result<(), sqlx::Error> {
    let name = format!("payments.phone:{phone_hash}");
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)
        .fetch_one(conn)
        .await?;
    Ok(())
}

pub async fn insert(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    phone_hash: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO consumer_phones (consumer_id, phone_hash) VALUES ($1, $2)
         ON CONFLICT ON CONSTRAINT consumer_phones_pkey DO UPDATE SET phone_hash = excluded.phone_hash",
        consumer_id.uuid(),
        phone_hash,
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn delete(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM consumer_phones WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns the newest consumer with a phone number. The event that removes an older one may be delayed.
pub async fn find_consumer(
    conn: &mut PgConnection,
    phone_hash: &str,
) -> Result<Option<ConsumerId>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT consumer_id FROM consumer_phones WHERE phone_hash = $1 ORDER BY consumer_id DESC LIMIT 1",
        phone_hash,
    )
    .fetch_optional(conn)
    .await
}
