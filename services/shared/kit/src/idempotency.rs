//! What was asked under a client's key. The row is started in the transaction that begins the work and finished in the
//! one that ends it.

use sha2::{Digest, Sha256};
use sqlx::PgConnection;

/// What an earlier call under the same key left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdempotencyState {
    /// The key is new.
    None,
    /// Begun, not finished: in flight, or waiting for recovery.
    Running,
    /// Finished with this answer.
    Finished(Vec<u8>),
    /// The key was used for another request.
    Mismatch,
}

/// One key in use: the scope (whose), the operation and the key itself.
#[derive(Debug, Clone, Copy)]
pub struct Key<'a> {
    /// Whose key it is: the consumer's id.
    pub scope: &'a str,
    /// What it is for: `place_order`.
    pub operation: &'a str,
    /// What the client sent.
    pub key: &'a str,
}

/// The hash of a request in a canonical form, to tell whether a key is used for the same thing again.
#[must_use]
pub fn hash(canonical: &[u8]) -> Vec<u8> {
    Sha256::digest(canonical).to_vec()
}

/// What an earlier call under this key left.
///
/// # Errors
/// The database's.
pub async fn find(
    conn: &mut PgConnection,
    key: Key<'_>,
    request_hash: &[u8],
) -> Result<IdempotencyState, sqlx::Error> {
    let row: Option<(Vec<u8>, Option<Vec<u8>>)> = sqlx::query_as(
        "SELECT request_hash, response FROM idempotency WHERE scope = $1 AND operation = $2 AND key = $3",
    )
    .bind(key.scope)
    .bind(key.operation)
    .bind(key.key)
    .fetch_optional(conn)
    .await?;
    Ok(match row {
        None => IdempotencyState::None,
        Some((hash, _)) if hash != request_hash => IdempotencyState::Mismatch,
        Some((_, Some(response))) => IdempotencyState::Finished(response),
        Some((_, None)) => IdempotencyState::Running,
    })
}

/// Takes the key. `false`: somebody has it already. Waits for a transaction that is taking it at this moment.
///
/// # Errors
/// The database's.
pub async fn start(conn: &mut PgConnection, key: Key<'_>, request_hash: &[u8]) -> Result<bool, sqlx::Error> {
    let taken = sqlx::query(
        "INSERT INTO idempotency (scope, operation, key, request_hash) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    )
    .bind(key.scope)
    .bind(key.operation)
    .bind(key.key)
    .bind(request_hash)
    .execute(conn)
    .await?;
    Ok(taken.rows_affected() == 1)
}

/// Keeps the answer. The first one stays.
///
/// # Errors
/// The database's.
pub async fn finish(conn: &mut PgConnection, key: Key<'_>, response: &[u8]) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE idempotency SET response = $4 WHERE scope = $1 AND operation = $2 AND key = $3 AND response IS NULL",
    )
    .bind(key.scope)
    .bind(key.operation)
    .bind(key.key)
    .bind(response)
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets all keys of a scope, with the answers: of a consumer who was removed.
///
/// # Errors
/// The database's.
pub async fn delete_scope(conn: &mut PgConnection, scope: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM idempotency WHERE scope = $1")
        .bind(scope)
        .execute(conn)
        .await?;
    Ok(())
}
