use std::time::Duration;

use kit::InternalError;
use tokio::time::timeout;
use uuid::Uuid;

use crate::{Accounts, db::photos};

const BATCH_SIZE: i64 = 100;

/// Time for a deletion during a request, which is shorter than the deadline of the request: its change is committed, so a
/// photo store that does not respond must not fail it.
const TIMEOUT_IN_REQUEST: Duration = Duration::from_secs(1);

/// Deletes the files of photos that are no longer used. Stops at the first one that cannot be deleted; it is retried.
pub async fn delete_photos(cx: &Accounts) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let due = photos::list_due(&mut conn, cx.clock.now(), BATCH_SIZE).await?;
    drop(conn);
    for photo_id in due {
        delete_photo(cx, photo_id).await?;
    }
    Ok(())
}

async fn delete_photo(cx: &Accounts, photo_id: Uuid) -> Result<(), InternalError> {
    cx.photos.delete(photo_id).await?;
    let mut conn = cx.pool.acquire().await?;
    photos::end_deletion(&mut conn, photo_id).await?;
    Ok(())
}

/// Deletes a file immediately after its deletion was planned. If that fails, the worker retries it.
pub(super) async fn try_delete_photo(cx: &Accounts, photo_id: Uuid) {
    match timeout(TIMEOUT_IN_REQUEST, delete_photo(cx, photo_id)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "photo not deleted; will retry"),
        Err(_) => tracing::warn!("photo not deleted in time; will retry"),
    }
}
