//! How and when an order can be picked up.

use jiff::{Timestamp, tz::TimeZone};
use types::StoreId;

use super::{get_store::StoreError, show::shop};
use crate::{
    Stores,
    db::{self, stores::Moment},
    domain::{
        capacity::{TYPICAL_MAKE_SECONDS, slice_of},
        pickup::{Wanted, furthest},
    },
};

/// How and when.
#[derive(Debug)]
pub struct Options {
    /// Whether the store brings orders to the kerb.
    pub curbside: bool,
    /// When an order placed now is ready; nothing while none is taken for now.
    pub earliest: Option<Timestamp>,
    /// Later times to choose from.
    pub slots: Vec<Timestamp>,
    /// The store's clock.
    pub zone: TimeZone,
}

/// The earliest promise and the slots after it, for an order that takes so long to make (0 for a typical one).
///
/// # Errors
/// [`StoreError::Unknown`].
pub async fn pickup_options(cx: &Stores, id: StoreId, make_seconds: u32) -> Result<Options, StoreError> {
    let now = cx.clock.now();
    let make_seconds = if make_seconds == 0 {
        TYPICAL_MAKE_SECONDS
    } else {
        make_seconds
    };
    let mut conn = cx.pool.acquire().await?;
    let slices = slice_of(now)..=slice_of(furthest(now));
    let Moment { store, load, .. } = db::stores::by_id(&mut conn, id, None, slices)
        .await?
        .ok_or(StoreError::Unknown)?;
    let shop = shop(&store, &load);
    let earliest = shop
        .plan(make_seconds, Wanted::Soonest, now)
        .ok()
        .map(|plan| plan.ready_at);
    let mut slots = shop.slots(make_seconds, now);
    slots.retain(|slot| earliest.is_none_or(|earliest| *slot > earliest));
    Ok(Options {
        curbside: store.curbside,
        earliest,
        slots,
        zone: store.zone,
    })
}
