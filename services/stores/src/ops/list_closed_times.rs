//! Finds promised times at which a store is closed.

use jiff::Timestamp;
use types::StoreId;

use super::get_store::GetStoreError;
use crate::{Stores, db, domain::capacity::slot_at};

/// Returns those of `times` at which no order can be picked up, by the opening hours as they are now.
pub(crate) async fn list_closed_times(
    cx: &Stores,
    store_id: StoreId,
    mut times: Vec<Timestamp>,
) -> Result<Vec<Timestamp>, GetStoreError> {
    let slot = slot_at(cx.clock.now());
    let mut conn = cx.pool.acquire().await?;
    let snapshot = db::stores::by_id(&mut conn, store_id, None, slot..=slot)
        .await?
        .ok_or(GetStoreError::StoreUnknown)?;
    let schedule = snapshot.schedule();
    times.retain(|at| schedule.is_closed_at(*at));
    Ok(times)
}
