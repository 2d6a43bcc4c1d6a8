use kit::InternalError;

use crate::{Accounts, db::session_tombstones};

const BATCH_SIZE: i64 = 100;

/// Writes the tombstones of ended sessions to the session cache, oldest first. Stops at the first one that cannot be
/// written; it remains in the table.
pub async fn write_tombstones(cx: &Accounts) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let pending = session_tombstones::list_oldest(&mut conn, BATCH_SIZE).await?;
    drop(conn);
    for token_hash in pending {
        write_tombstone(cx, &token_hash).await?;
    }
    Ok(())
}

async fn write_tombstone(cx: &Accounts, token_hash: &[u8]) -> Result<(), InternalError> {
    cx.session_cache.write_tombstone(token_hash).await?;
    let mut conn = cx.pool.acquire().await?;
    session_tombstones::delete(&mut conn, token_hash).await?;
    Ok(())
}

/// Writes the tombstone of a session that just ended. If that fails, the worker retries it.
pub(super) async fn try_write_tombstone(cx: &Accounts, token_hash: &[u8]) {
    if let Err(error) = write_tombstone(cx, token_hash).await {
        tracing::warn!(%error, "tombstone not written; will retry");
    }
}
