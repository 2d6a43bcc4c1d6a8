//! Pauses or resumes orders at a store.

use types::StoreId;

use super::{get_store::GetStoreError, store_views::load_store_views};
use crate::{Stores, convert, db, domain::store_view::StoreView};

/// Does nothing if the store is already in the requested state.
///
/// # Errors
/// [`GetStoreError::StoreUnknown`] if the store does not exist.
pub async fn pause_store(cx: &Stores, store_id: StoreId, paused: bool) -> Result<StoreView, GetStoreError> {
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    if let Some(version) = db::stores::set_paused(&mut tx, store_id, paused).await? {
        let event = convert::event::store_status_changed(store_id, version, paused, now);
        kit::outbox::append(&mut tx, event).await?;
        // Reservations that were planned before the change are not written.
        db::schedule_versions::increment(&mut tx, &[store_id]).await?;
    }
    let store = load_store_views(cx, &mut tx, &[store_id], None, None)
        .await?
        .pop()
        .ok_or(GetStoreError::StoreUnknown)?;
    tx.commit().await?;
    Ok(store)
}
