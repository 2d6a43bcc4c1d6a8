//! Computes when an order can be picked up.

use types::StoreId;

use super::get_store::GetStoreError;
use crate::{
    Stores, db,
    domain::{
        capacity::{DEFAULT_MAKE_SECONDS, slot_at},
        pickup::{PickupOptions, RequestedPickup, latest_pickup_at},
    },
};

/// `make_seconds` is the make time of the order; 0 for a typical order.
pub(crate) async fn get_pickup_options(
    cx: &Stores,
    store_id: StoreId,
    make_seconds: u32,
) -> Result<PickupOptions, GetStoreError> {
    let now = cx.clock.now();
    let make_seconds = if make_seconds == 0 {
        DEFAULT_MAKE_SECONDS
    } else {
        make_seconds
    };
    let mut conn = cx.pool.acquire().await?;
    let slots = slot_at(now)..=slot_at(latest_pickup_at(now));
    let snapshot = db::stores::by_id(&mut conn, store_id, None, slots)
        .await?
        .ok_or(GetStoreError::StoreUnknown)?;
    let schedule = snapshot.schedule();
    let earliest_at = schedule
        .plan(make_seconds, RequestedPickup::Asap, now)
        .ok()
        .map(|plan| plan.ready_at);
    let mut times = schedule.pickup_times(make_seconds, now);
    times.retain(|time| earliest_at.is_none_or(|earliest_at| *time > earliest_at));
    Ok(PickupOptions {
        curbside: snapshot.store.curbside,
        earliest_at,
        times,
        zone: snapshot.store.zone,
    })
}
