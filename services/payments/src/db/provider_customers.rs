//! The provider's customer objects, one per consumer.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderCustomer {
    /// `None` for the tombstone of a consumer who never had a customer object.
    pub provider_id: Option<String>,
    /// Whether the consumer was removed.
    pub is_removed: bool,
}

pub async fn find(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<Option<ProviderCustomer>, sqlx::Error> {
    sqlx::query_as!(
        ProviderCustomer,
        r#"SELECT provider_id, removed_at IS NOT NULL AS "is_removed!"
           FROM provider_customers WHERE consumer_id = $1"#,
        consumer_id.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Locks the consumer's row, which serializes the changes to the consumer's payment methods.
pub async fn lock(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "SELECT consumer_id FROM provider_customers WHERE consumer_id = $1 FOR UPDATE",
        consumer_id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(())
}

/// Inserts the customer unless the consumer has one or was removed in the meantime.
pub async fn insert(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    provider_id: &str,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO provider_customers (consumer_id, provider_id, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (consumer_id) DO NOTHING",
        consumer_id.uuid(),
        provider_id,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Replaces a customer that no longer exists at the provider. Returns `false` if it was replaced before, or the consumer
/// was removed.
pub async fn replace(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    deleted_id: &str,
    provider_id: &str,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "UPDATE provider_customers SET provider_id = $3
         WHERE consumer_id = $1 AND provider_id = $2 AND removed_at IS NULL",
        consumer_id.uuid(),
        deleted_id,
        provider_id,
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Marks a consumer as removed. Inserts a tombstone if the consumer has no row.
pub async fn mark_removed(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO provider_customers (consumer_id, created_at, removed_at) VALUES ($1, $2, $2)
         ON CONFLICT (consumer_id)
         DO UPDATE SET removed_at = coalesce(provider_customers.removed_at, excluded.removed_at)",
        consumer_id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}
