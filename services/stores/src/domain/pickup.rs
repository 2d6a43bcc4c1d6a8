//! Computes when an order can be picked up: as soon as possible, or at a requested time.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use types::minutes::round_up_to_minute;

use super::{
    capacity::{CapacityPlan, StoreCapacity},
    opening_hours::{OpenPeriod, OpeningHours},
    pause::Pause,
};

/// Number of days ahead for which an order may be scheduled. Card authorizations are valid for longer.
const MAX_DAYS_AHEAD: i32 = 5;
/// Pickup times are offered every quarter of an hour.
const PICKUP_TIME_INTERVAL_SECONDS: i64 = 900;
const MAX_ASAP_WAIT: SignedDuration = SignedDuration::from_hours(12);
/// A pause without an end counts as one that lasts this long from now, so that no pickup is offered in the next minutes.
const OPEN_ENDED_PAUSE: SignedDuration = SignedDuration::from_hours(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestedPickup {
    /// As soon as possible.
    Asap,
    At(Timestamp),
}

/// The reason for which an order cannot be picked up at the requested time. The texts are for the consumer.
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
    /// When an order placed now is ready; `None` while the store accepts no orders.
    pub(crate) earliest_at: Option<Timestamp>,
    /// Later times to choose from.
    pub(crate) times: Vec<Timestamp>,
    pub(crate) zone: TimeZone,
}

/// The capacity, opening hours and pause of a store, from which ready times are computed.
#[derive(Debug, Clone, Copy)]
pub struct StoreSchedule<'a> {
    pub(crate) capacity: StoreCapacity<'a>,
    pub(crate) hours: &'a OpeningHours,
    pub(crate) zone: &'a TimeZone,
    pub(crate) pause: Option<Pause>,
}

impl StoreSchedule<'_> {
    /// Plans the capacity for an order. A paused store accepts orders only for a requested time, and makes them after the
    /// pause. If the staff decide when it ends, it ends at the earliest in [`OPEN_ENDED_PAUSE`].
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
                let at = round_up_to_minute(at);
                let period = find_period(&periods, at, now).ok_or(PickupUnavailable::OutsideHours)?;
                self.capacity
                    .plan_ready_at(make_seconds, self.makes_from(now).max(period.start), at)
                    .ok_or_else(|| PickupUnavailable::SlotTaken {
                        earliest: self
                            .plan_asap(&periods, make_seconds, now)
                            .ok()
                            .map(|plan| plan.ready_at),
                    })
            }
        }
    }

    /// Returns the earliest ready time, today or on a later day, after the current pause.
    #[must_use]
    pub(crate) fn earliest_ready_at(&self, make_seconds: u32, now: Timestamp) -> Option<Timestamp> {
        let periods = self.hours.open_periods(self.zone, now, MAX_DAYS_AHEAD + 1);
        let from = self.makes_from(now);
        periods
            .iter()
            .filter(|period| period.end > from)
            .find_map(|period| {
                self.capacity
                    .plan_earliest(make_seconds, from.max(period.start), period.end)
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
                        .plan_ready_at(make_seconds, self.makes_from(now).max(period.start), at)
                        .is_some()
                })
            })
            .collect()
    }

    /// Returns whether the store is closed at a pickup time in the future.
    #[must_use]
    pub(crate) fn is_closed_at(&self, at: Timestamp) -> bool {
        let periods = self.hours.open_periods(self.zone, at, 1);
        !periods.iter().any(|period| has_pickup_at(*period, at))
    }

    fn active_pause(&self, now: Timestamp) -> Option<Pause> {
        self.pause.filter(|pause| pause.is_active(now))
    }

    /// Returns the start of preparation of new orders: the end of the current pause, or `now`.
    fn makes_from(&self, now: Timestamp) -> Timestamp {
        match self.active_pause(now) {
            Some(Pause {
                until: Some(until), ..
            }) => until,
            Some(Pause { until: None, .. }) => now + OPEN_ENDED_PAUSE,
            None => now,
        }
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
        if self.active_pause(now).is_some() {
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

/// Returns the open period in which an order for `at` is prepared. The end of the period is inclusive, because pickup
/// is still possible then.
fn find_period(periods: &[OpenPeriod], at: Timestamp, now: Timestamp) -> Option<OpenPeriod> {
    let is_in_range = at > now && at <= latest_pickup_at(now);
    periods
        .iter()
        .copied()
        .find(|period| is_in_range && has_pickup_at(*period, at))
}

fn has_pickup_at(period: OpenPeriod, at: Timestamp) -> bool {
    period.start < at && at <= period.end
}

#[cfg(test)]
mod tests;
