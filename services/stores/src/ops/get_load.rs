//! Returns the reserved capacity of the next hour.

use types::StoreId;

use super::get_store::GetStoreError;
use crate::{
    Stores, db,
    domain::{
        capacity::slot_at,
        load::{LOAD_SLOTS, LoadSlot, load_of},
    },
};

pub(crate) async fn get_load(cx: &Stores, store_id: StoreId) -> Result<Vec<LoadSlot>, GetStoreError> {
    let now = cx.clock.now();
    let first = slot_at(now);
    let mut conn = cx.pool.acquire().await?;
    let snapshot = db::stores::by_id(&mut conn, store_id, None, first..=first + LOAD_SLOTS)
        .await?
        .ok_or(GetStoreError::StoreUnknown)?;
    Ok(load_of(&snapshot, now))
}
