//! Idempotency keys of clients. The row is inserted in the transaction that starts the work, and the response is stored in
//! the transaction that finishes it.

use sha2::{Digest, Sha256};
use sqlx::PgConnection;

/// State of an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdempotencyState {
    New,
    /// A request with this key is in progress or waits for recovery.
    Running,
    /// The request finished with this response.
    Finished(Vec<u8>),
    /// The key was used for a different request.
    Mismatch,
}

#[derive(Debug, Clone, Copy)]
pub struct Key<'a> {
    /// Owner of the key, for example the consumer's id.
    pub scope: &'a str,
    /// For example `place_order`.
    pub operation: &'a str,
    pub key: &'a str,
}

/// Hashes the canonical form of a request. Different hashes for one key mean a mismatch.
#[must_use]
pub fn hash(canonical: &[u8]) -> Vec<u8> {
    Sha256::digest(canonical).to_vec()
}

/// Returns the state of a key.
pub async fn find(
    conn: &mut PgConnection,
    key: Key<'_>,
    request_hash: &[u8],
) -> Result<IdempotencyState, sqlx::Error> {
    let row = sqlx::query!(
        "SELECT request_hash, response FROM idempotency WHERE scope = $1 AND operation = $2 AND key = $3",
        key.scope,
        key.operation,
        key.key,
    )
    .fetch_optional(conn)
    .await?;
    Ok(match row {
        None => IdempotencyState::New,
        Some(row) if row.request_hash != request_hash => IdempotencyState::Mismatch,
        Some(row) => row
            .response
            .map_or(IdempotencyState::Running, IdempotencyState::Finished),
    })
}

/// Inserts the key. Returns `false` if it exists. Waits for a concurrent transaction that inserts the same key.
pub async fn start(conn: &mut PgConnection, key: Key<'_>, request_hash: &[u8]) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "INSERT INTO idempotency (scope, operation, key, request_hash) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        key.scope,
        key.operation,
        key.key,
        request_hash,
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Stores the response. Does nothing if a response is stored already.
pub async fn finish(conn: &mut PgConnection, key: Key<'_>, response: &[u8]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE idempotency SET response = $4 WHERE scope = $1 AND operation = $2 AND key = $3 AND response IS NULL",
        key.scope,
        key.operation,
        key.key,
        response,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes all keys and responses of a scope, for example of a removed consumer.
pub async fn delete_scope(conn: &mut PgConnection, scope: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM idempotency WHERE scope = $1", scope)
        .execute(conn)
        .await?;
    Ok(())
}
