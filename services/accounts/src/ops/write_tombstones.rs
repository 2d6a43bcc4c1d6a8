use kit::InternalError;

use crate::{Accounts, db::session_tombstones};

const BATCH_SIZE: i64 = 100;

/// Writes the tombstones of ended sessions to the session cache, oldest first. If that fails, they remain in the table.
pub async fn write_tombstones(cx: &Accounts) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let pending = session_tombstones::list_oldest(&mut conn, BATCH_SIZE).await?;
    drop(conn);
    write(cx, &pending).await
}

async fn write(cx: &Accounts, token_hashes: &[Vec<u8>]) -> Result<(), InternalError> {
    if token_hashes.is_empty() {
        return Ok(());
    }
    cx.session_cache.write_tombstones(token_hashes).await?;
    let mut conn = cx.pool.acquire().await?;
    Ok(session_tombstones::delete(&mut conn, token_hashes).await?)
}

/// Writes the tombstones of sessions that just ended. If that fails, which takes a second at most while Redis does not respond,
/// the worker retries it.
pub(super) async fn try_write_tombstones(cx: &Accounts, token_hashes: &[Vec<u8>]) {
    if let Err(error) = write(cx, token_hashes).await {
        tracing::warn!(%error, "tombstones not written; will retry");
    }
}
