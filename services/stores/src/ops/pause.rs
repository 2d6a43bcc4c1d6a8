//! Pauses or resumes ordering ahead at a store.

use types::StoreId;

use super::{
    get_store::StoreError,
    show::{Shown, show},
};
use crate::{Stores, convert, db};

/// Pauses or resumes a store; nothing happens if it already stands so.
///
/// # Errors
/// [`StoreError::Unknown`].
pub async fn pause(cx: &Stores, id: StoreId, paused: bool) -> Result<Shown, StoreError> {
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    if let Some(version) = db::stores::set_paused(&mut tx, id, paused).await? {
        let event = convert::event::store_status_changed(id, version, paused, now);
        kit::outbox::append(&mut tx, event).await?;
        // Nobody is promised anything on what stood before.
        db::turns::take(&mut tx, &[id]).await?;
    }
    let shown = show(cx, &mut tx, &[id], None, None)
        .await?
        .pop()
        .ok_or(StoreError::Unknown)?;
    tx.commit().await?;
    Ok(shown)
}
