//! When an order can be picked up: as soon as possible, or at a requested time.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::{
    capacity::{CapacityPlan, StoreCapacity},
    hours::{OpenPeriod, WeeklyHours},
};

/// How far ahead an order may be scheduled. Card authorizations are valid for longer.
const MAX_DAYS_AHEAD: i32 = 5;
/// Pickup times are offered every quarter of an hour.
const PICKUP_TIME_INTERVAL_SECONDS: i64 = 900;
const MAX_ASAP_WAIT: SignedDuration = SignedDuration::from_hours(12);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestedPickup {
    /// As soon as possible.
    Asap,
    At(Timestamp),
}

/// Why an order cannot be picked up at the requested time. The texts are for the consumer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PickupUnavailable {
    #[error("The store is closed, or it closes before your order would be ready.")]
    Closed,
    #[error("This store isn't taking orders right now. Try again later or pick another store.")]
    Paused,
    /// Outside the opening hours, in the past, or too far ahead.
    #[error("Choose a pickup time during store hours, within the next {MAX_DAYS_AHEAD} days.")]
    OutsideHours,
    /// The store has no capacity left for the requested time.
    #[error("That pickup time is no longer available. Please choose another.")]
    SlotTaken { earliest: Option<Timestamp> },
}

impl PickupUnavailable {
    /// Returns the stable reason code.
    #[must_use]
    pub(crate) const fn reason(&self) -> &'static str {
        match self {
            Self::Closed => "STORE_CLOSED",
            Self::Paused => "STORE_PAUSED",
            Self::OutsideHours => "PICKUP_TIME_INVALID",
            Self::SlotTaken { .. } => "SLOT_UNAVAILABLE",
        }
    }
}

/// How and when an order can be picked up.
#[derive(Debug)]
pub struct PickupOptions {
    pub(crate) curbside: bool,
    /// When an order placed now is ready; empty while the store accepts no orders.
    pub(crate) earliest_at: Option<Timestamp>,
    /// Later times to choose from.
    pub(crate) times: Vec<Timestamp>,
    pub(crate) zone: TimeZone,
}

/// The capacity, opening hours and pause of a store, from which ready times are computed.
#[derive(Debug, Clone, Copy)]
pub struct StoreSchedule<'a> {
    pub(crate) capacity: StoreCapacity<'a>,
    pub(crate) hours: &'a WeeklyHours,
    pub(crate) zone: &'a TimeZone,
    pub(crate) paused: bool,
}

impl StoreSchedule<'_> {
    /// Returns the capacity that an order would take. A paused store accepts orders only for a requested time.
    ///
    /// # Errors
    /// [`PickupUnavailable`] if the store cannot have the order ready at the requested time.
    pub fn plan(
        &self,
        make_seconds: u32,
        requested: RequestedPickup,
        now: Timestamp,
    ) -> Result<CapacityPlan, PickupUnavailable> {
        let periods = self.hours.open_periods(self.zone, now, MAX_DAYS_AHEAD + 1);
        match requested {
            RequestedPickup::Asap => self.plan_asap(&periods, make_seconds, now),
            RequestedPickup::At(at) => {
                let period = find_period(&periods, at, now).ok_or(PickupUnavailable::OutsideHours)?;
                self.capacity
                    .plan_ready_at(make_seconds, now.max(period.start), at)
                    .ok_or_else(|| PickupUnavailable::SlotTaken {
                        earliest: self
                            .plan_asap(&periods, make_seconds, now)
                            .ok()
                            .map(|plan| plan.ready_at),
                    })
            }
        }
    }

    /// Returns the earliest ready time, today or on a later day. Ignores a pause.
    #[must_use]
    pub(crate) fn earliest_ready_at(&self, make_seconds: u32, now: Timestamp) -> Option<Timestamp> {
        let periods = self.hours.open_periods(self.zone, now, MAX_DAYS_AHEAD + 1);
        periods
            .iter()
            .filter(|period| period.end > now)
            .find_map(|period| {
                self.capacity
                    .plan_earliest(make_seconds, now.max(period.start), period.end)
            })
            .map(|plan| plan.ready_at)
    }

    /// Returns the times for which the store has capacity, up to the latest time for which it accepts orders.
    #[must_use]
    pub(crate) fn pickup_times(&self, make_seconds: u32, now: Timestamp) -> Vec<Timestamp> {
        let periods = self.hours.open_periods(self.zone, now, MAX_DAYS_AHEAD + 1);
        let first = now.as_second().div_euclid(PICKUP_TIME_INTERVAL_SECONDS) + 1;
        let last = latest_pickup_at(now)
            .as_second()
            .div_euclid(PICKUP_TIME_INTERVAL_SECONDS);
        (first..=last)
            .filter_map(|number| Timestamp::from_second(number * PICKUP_TIME_INTERVAL_SECONDS).ok())
            .filter(|&at| {
                find_period(&periods, at, now).is_some_and(|period| {
                    self.capacity
                        .plan_ready_at(make_seconds, now.max(period.start), at)
                        .is_some()
                })
            })
            .collect()
    }

    fn plan_asap(
        &self,
        periods: &[OpenPeriod],
        make_seconds: u32,
        now: Timestamp,
    ) -> Result<CapacityPlan, PickupUnavailable> {
        let period = periods
            .iter()
            .find(|period| period.contains(now))
            .ok_or(PickupUnavailable::Closed)?;
        if self.paused {
            return Err(PickupUnavailable::Paused);
        }
        let until = now
            .checked_add(MAX_ASAP_WAIT)
            .map_or(period.end, |limit| period.end.min(limit));
        self.capacity
            .plan_earliest(make_seconds, now, until)
            .ok_or(PickupUnavailable::Closed)
    }
}

/// Returns the latest time for which an order can be scheduled.
#[must_use]
pub(crate) fn latest_pickup_at(now: Timestamp) -> Timestamp {
    now.checked_add(SignedDuration::from_hours(24 * i64::from(MAX_DAYS_AHEAD)))
        .unwrap_or(Timestamp::MAX)
}

/// Returns the open period in which an order for `at` is made. Pickup is still possible at the end of the period.
fn find_period(periods: &[OpenPeriod], at: Timestamp, now: Timestamp) -> Option<OpenPeriod> {
    let is_in_range = at > now && at <= latest_pickup_at(now);
    periods
        .iter()
        .copied()
        .find(|period| is_in_range && period.start < at && at <= period.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::capacity::{Load, slot_at};

    struct TestStore {
        load: Load,
        hours: WeeklyHours,
        zone: TimeZone,
        paused: bool,
    }

    impl TestStore {
        fn open(opens_minute: u16, closes_minute: u16) -> Self {
            Self {
                load: Load::new(),
                hours: WeeklyHours::daily(opens_minute, closes_minute),
                zone: TimeZone::get("America/Chicago").unwrap(),
                paused: false,
            }
        }

        fn schedule(&self) -> StoreSchedule<'_> {
            StoreSchedule {
                capacity: StoreCapacity {
                    load: &self.load,
                    baristas: 1,
                },
                hours: &self.hours,
                zone: &self.zone,
                paused: self.paused,
            }
        }

        fn local(&self, text: &str) -> Timestamp {
            self.zone.to_timestamp(text.parse().unwrap()).unwrap()
        }
    }

    #[test]
    fn a_closed_or_paused_store_has_no_plan_for_now() {
        let mut store = TestStore::open(360, 1200);
        let noon = store.local("2026-11-20T12:00:00");
        let plan_asap = |store: &TestStore, now| store.schedule().plan(90, RequestedPickup::Asap, now);
        assert_eq!(
            plan_asap(&store, store.local("2026-11-20T05:00:00")),
            Err(PickupUnavailable::Closed)
        );
        assert_eq!(
            plan_asap(&store, store.local("2026-11-20T19:58:00")),
            Err(PickupUnavailable::Closed),
            "closes before the order is made"
        );
        assert!(plan_asap(&store, noon).is_ok());
        store.paused = true;
        assert_eq!(plan_asap(&store, noon), Err(PickupUnavailable::Paused));
    }

    #[test]
    fn a_requested_time_must_be_within_opening_hours_and_days_ahead() {
        let store = TestStore::open(360, 1200);
        let noon = store.local("2026-11-20T12:00:00");
        let ready_at = |text: &str| {
            store
                .schedule()
                .plan(90, RequestedPickup::At(store.local(text)), noon)
                .map(|plan| plan.ready_at)
        };
        for inside in ["2026-11-21T06:15:00", "2026-11-20T20:00:00"] {
            assert_eq!(ready_at(inside), Ok(store.local(inside)), "{inside}");
        }
        for outside in [
            "2026-11-20T11:59:00",
            "2026-11-20T20:01:00",
            "2026-11-21T05:00:00",
            "2026-11-25T12:01:00",
        ] {
            assert_eq!(
                ready_at(outside),
                Err(PickupUnavailable::OutsideHours),
                "{outside}"
            );
        }
    }

    #[test]
    fn a_time_without_capacity_is_answered_with_the_earliest_time() {
        let mut store = TestStore::open(360, 1200);
        let noon = store.local("2026-11-20T12:00:00");
        store.load = (slot_at(noon)..slot_at(noon) + 6)
            .map(|slot| (slot, 300))
            .collect();
        let requested = RequestedPickup::At(store.local("2026-11-20T12:15:00"));
        let earliest = Some(store.local("2026-11-20T12:32:00"));
        assert_eq!(
            store.schedule().plan(90, requested, noon),
            Err(PickupUnavailable::SlotTaken { earliest })
        );
    }

    #[test]
    fn the_earliest_ready_time_of_a_closed_store_is_after_its_next_opening() {
        let mut store = TestStore::open(360, 1200);
        store.paused = true;
        let evening = store.local("2026-11-20T19:59:00");
        assert_eq!(
            store.schedule().earliest_ready_at(90, evening),
            Some(store.local("2026-11-21T06:03:00"))
        );
        store.hours = WeeklyHours::default();
        assert_eq!(store.schedule().earliest_ready_at(90, evening), None);
    }

    #[test]
    fn pickup_times_are_quarter_hours_with_capacity() {
        let store = TestStore::open(360, 1200);
        let now = store.local("2026-11-20T19:20:00");
        let times = store.schedule().pickup_times(90, now);
        let expected = ["20T19:30", "20T19:45", "20T20:00", "21T06:15", "21T06:30"];
        assert_eq!(
            times[..5],
            expected.map(|time| store.local(&format!("2026-11-{time}:00")))
        );
        assert_eq!(times.last(), Some(&store.local("2026-11-25T19:15:00")));
        assert!(
            times
                .iter()
                .all(|&at| store.schedule().plan(90, RequestedPickup::At(at), now).is_ok())
        );
    }
}
