//! A store as a consumer sees it at one instant.

use jiff::Timestamp;

use super::{
    availability::StoreAvailability,
    capacity::{DEFAULT_MAKE_SECONDS, Load, wait_minutes},
    geo::Position,
    pickup::RequestedPickup,
    promise::PromiseRecord,
    store::Store,
};

#[derive(Debug, Clone)]
pub struct StoreView {
    pub(crate) store: Store,
    pub(crate) availability: StoreAvailability,
    /// Minutes until an order placed now is ready; 0 while the store accepts no orders.
    pub(crate) wait_minutes: u32,
    /// Distance from the consumer's position, if known.
    pub(crate) distance_meters: Option<f64>,
    /// How often the store was ready on time. Absent in lists, and for few orders.
    pub(crate) promise_record: Option<PromiseRecord>,
}

impl StoreView {
    #[must_use]
    pub(crate) fn new(
        store: Store,
        load: &Load,
        now: Timestamp,
        consumer_position: Option<Position>,
    ) -> Self {
        let wait_minutes = store
            .schedule(load)
            .plan(DEFAULT_MAKE_SECONDS, RequestedPickup::Asap, now)
            .map_or(0, |plan| wait_minutes(now, plan.ready_at));
        Self {
            availability: StoreAvailability::at(&store.hours, &store.zone, store.paused, now),
            wait_minutes,
            promise_record: None,
            distance_meters: consumer_position.map(|position| position.meters_to(store.position)),
            store,
        }
    }
}
