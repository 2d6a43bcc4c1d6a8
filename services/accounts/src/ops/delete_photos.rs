use kit::InternalError;
use uuid::Uuid;

use crate::{Accounts, db::photos};

const BATCH_SIZE: i64 = 100;

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
    if let Err(error) = delete_photo(cx, photo_id).await {
        tracing::warn!(%error, "photo not deleted; will retry");
    }
}
