//! A store as a consumer sees it at one instant.

use jiff::{Timestamp, ToSpan, civil::Date};

use super::{
    availability::StoreAvailability,
    capacity::{DEFAULT_MAKE_SECONDS, Load, wait_minutes},
    geo::Position,
    opening_hours::SpecialDay,
    pickup::RequestedPickup,
    promise::PromiseRecord,
    rating::StoreRating,
    store::Store,
};

/// Special days are shown for this many days.
const SPECIAL_DAYS_AHEAD: i64 = 14;

#[derive(Debug, Clone)]
pub struct StoreView {
    pub(crate) store: Store,
    pub(crate) availability: StoreAvailability,
    /// Minutes until an order placed now is ready; 0 while the store accepts no orders.
    pub(crate) wait_minutes: u32,
    /// Distance from the consumer's position, if known.
    pub(crate) distance_meters: Option<f64>,
    /// How often the store's orders were ready on time. Absent in lists, and for stores with few orders.
    pub(crate) promise_record: Option<PromiseRecord>,
    /// How consumers rated their orders. Absent in lists, and for few ratings.
    pub(crate) rating: Option<StoreRating>,
    /// Of the next days, by day.
    pub(crate) special_days: Vec<(Date, SpecialDay)>,
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
            availability: StoreAvailability::at(&store.hours, &store.zone, store.pause, now),
            wait_minutes,
            promise_record: None,
            rating: None,
            special_days: upcoming_special_days(&store, now),
            distance_meters: consumer_position.map(|position| position.meters_to(store.position)),
            store,
        }
    }
}

fn upcoming_special_days(store: &Store, now: Timestamp) -> Vec<(Date, SpecialDay)> {
    let today = store.zone.to_datetime(now).date();
    let last = today.saturating_add(SPECIAL_DAYS_AHEAD.days());
    let special_days = store.hours.special_days.range(today..=last);
    special_days
        .map(|(day, special)| (*day, special.clone()))
        .collect()
}
