//! Tombstones that are not yet in the session cache.

use sqlx::PgConnection;

pub(crate) async fn list_oldest(conn: &mut PgConnection, limit: i64) -> Result<Vec<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT token_hash FROM session_tombstones ORDER BY ended_at LIMIT $1",
        limit
    )
    .fetch_all(conn)
    .await
}

pub(crate) async fn delete(conn: &mut PgConnection, token_hashes: &[Vec<u8>]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM session_tombstones WHERE token_hash = ANY($1)",
        token_hashes
    )
    .execute(conn)
    .await?;
    Ok(())
}
