//! The provider's customers: one for each consumer.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;

/// What is known of a consumer here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// The provider's id.
    pub provider_id: Option<String>,
    /// Whether the consumer was removed.
    pub removed: bool,
}

/// The customer of a consumer.
///
/// # Errors
/// The database's.
pub async fn find(conn: &mut PgConnection, consumer: ConsumerId) -> Result<Option<Customer>, sqlx::Error> {
    sqlx::query_as!(
        Customer,
        r#"SELECT provider_id, removed_at IS NOT NULL AS "removed!" FROM provider_customers WHERE consumer_id = $1"#,
        consumer.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Locks the consumer's row, so that changes to its methods happen one after another. False: there is none.
///
/// # Errors
/// The database's.
pub async fn lock(conn: &mut PgConnection, consumer: ConsumerId) -> Result<bool, sqlx::Error> {
    let found = sqlx::query!(
        "SELECT consumer_id FROM provider_customers WHERE consumer_id = $1 FOR UPDATE",
        consumer.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.is_some())
}

/// Keeps the provider's id, unless there is one already or the consumer was removed meanwhile.
///
/// # Errors
/// The database's.
pub async fn insert(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    provider_id: &str,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO provider_customers (consumer_id, provider_id, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (consumer_id) DO NOTHING",
        consumer.uuid(),
        provider_id,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Puts another customer in the place of one that the provider lost. False: it is another one already, or the consumer
/// was removed.
///
/// # Errors
/// The database's.
pub async fn replace(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    lost: &str,
    provider_id: &str,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE provider_customers SET provider_id = $3
         WHERE consumer_id = $1 AND provider_id = $2 AND removed_at IS NULL",
        consumer.uuid(),
        lost,
        provider_id,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Marks a consumer as removed; leaves a tombstone where nothing was known.
///
/// # Errors
/// The database's.
pub async fn mark_removed(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO provider_customers (consumer_id, created_at, removed_at) VALUES ($1, $2, $2)
         ON CONFLICT (consumer_id)
         DO UPDATE SET removed_at = coalesce(provider_customers.removed_at, excluded.removed_at)",
        consumer.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}
