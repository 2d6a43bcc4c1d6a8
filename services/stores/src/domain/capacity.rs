//! Store capacity: the make time that the baristas of a store have in each slot of five minutes, and the slots that an
//! order takes.
//!
//! All baristas work on the same order, without a break unless slots are already reserved.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use types::minutes::round_up_to_minute;

pub use super::slot::slot_at;
pub(crate) use super::slot::{SLOT_SECONDS, slot_start};
use super::staffing::Staffing;

/// The minimum time from order to pickup: the store sees, prepares and announces the order.
const MIN_WAIT: SignedDuration = SignedDuration::from_secs(180);
/// A scheduled order is started at most this time plus its make time before it is promised, so that a drink is fresh.
const MAX_LEAD_TIME: SignedDuration = SignedDuration::from_mins(15);
/// The make time of a typical order.
pub(crate) const DEFAULT_MAKE_SECONDS: u32 = 120;

/// Reserved seconds by slot.
pub type Load = BTreeMap<i64, i64>;

/// Make time that an order takes in one slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allocation {
    pub slot: i64,
    /// Above zero.
    pub seconds: i64,
}

/// The capacity that one order takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapacityPlan {
    /// Ordered by slot.
    pub allocations: Vec<Allocation>,
    /// When the store has to start making the order.
    pub start_at: Timestamp,
    pub ready_at: Timestamp,
}

/// The baristas of a store and the make time that is already reserved.
#[derive(Debug, Clone, Copy)]
pub struct StoreCapacity<'a> {
    pub(crate) load: &'a Load,
    pub(crate) staffing: &'a Staffing,
}

impl StoreCapacity<'_> {
    /// Returns the earliest plan that starts at `from` or later and is ready by `until`. The ready time is a whole
    /// minute.
    #[must_use]
    pub(crate) fn plan_earliest(
        &self,
        make_seconds: u32,
        from: Timestamp,
        until: Timestamp,
    ) -> Option<CapacityPlan> {
        let min_ready_at = from.checked_add(MIN_WAIT).ok()?;
        let mut remaining = i64::from(make_seconds);
        let mut allocations = Vec::new();
        let (mut start, mut end) = (from.as_second(), from.as_second());
        for slot in slot_at(from)..=slot_at(until) {
            if remaining == 0 {
                break;
            }
            let seconds = remaining.min(self.free_seconds(slot, from.as_second(), until.as_second()));
            if seconds == 0 {
                continue;
            }
            // The baristas first prepare the orders that are already reserved in this slot.
            let slot_start = (slot * SLOT_SECONDS + self.used_seconds(slot).div_euclid(self.baristas(slot)))
                .max(from.as_second());
            if allocations.is_empty() {
                start = slot_start;
            }
            end = slot_start + ceil_div(seconds, self.baristas(slot));
            remaining -= seconds;
            allocations.push(Allocation { slot, seconds });
        }
        let ready_at = round_up_to_minute(from_second(end.max(min_ready_at.as_second()))?);
        (remaining == 0 && ready_at <= until).then_some(CapacityPlan {
            allocations,
            start_at: from_second(start)?,
            ready_at,
        })
    }

    /// Returns the latest plan that starts at `from` or later, at most [`MAX_LEAD_TIME`] plus the make time before `ready_at`, and is ready
    /// exactly at `ready_at`.
    #[must_use]
    pub(crate) fn plan_ready_at(
        &self,
        make_seconds: u32,
        from: Timestamp,
        ready_at: Timestamp,
    ) -> Option<CapacityPlan> {
        if ready_at.duration_since(from) < MIN_WAIT {
            return None;
        }
        let mut remaining = i64::from(make_seconds);
        let earliest = ready_at.checked_sub(MAX_LEAD_TIME + SignedDuration::from_secs(remaining));
        let from = earliest.map_or(from, |earliest| earliest.max(from));
        let mut allocations = Vec::new();
        let mut start = ready_at.as_second();
        for slot in (slot_at(from)..=slot_at(ready_at)).rev() {
            if remaining == 0 {
                break;
            }
            let seconds = remaining.min(self.free_seconds(slot, from.as_second(), ready_at.as_second()));
            if seconds == 0 {
                continue;
            }
            let slot_end = ((slot + 1) * SLOT_SECONDS).min(ready_at.as_second());
            start = (slot_end - ceil_div(seconds, self.baristas(slot))).max(from.as_second());
            remaining -= seconds;
            allocations.push(Allocation { slot, seconds });
        }
        allocations.reverse();
        (remaining == 0).then_some(CapacityPlan {
            allocations,
            start_at: from_second(start)?,
            ready_at,
        })
    }

    /// Returns the free make time of the part of a slot that lies between two instants.
    fn free_seconds(&self, slot: i64, from: i64, until: i64) -> i64 {
        let (start, end) = (slot * SLOT_SECONDS, (slot + 1) * SLOT_SECONDS);
        let seconds = (end.min(until) - start.max(from)).max(0);
        (self.staffing.capacity_seconds(slot) - self.used_seconds(slot))
            .min(seconds * self.baristas(slot))
            .max(0)
    }

    fn used_seconds(&self, slot: i64) -> i64 {
        self.load.get(&slot).copied().unwrap_or_default()
    }

    fn baristas(&self, slot: i64) -> i64 {
        i64::from(self.staffing.baristas_in(slot))
    }
}

fn ceil_div(amount: i64, divisor: i64) -> i64 {
    (amount + divisor - 1).div_euclid(divisor)
}

fn from_second(second: i64) -> Option<Timestamp> {
    Timestamp::from_second(second).ok()
}

/// Returns the minutes from `now` until `ready_at`, rounded up.
#[must_use]
pub(crate) fn wait_minutes(now: Timestamp, ready_at: Timestamp) -> u32 {
    u32::try_from(ceil_div(ready_at.duration_since(now).as_secs(), 60)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOON: i64 = 1_795_176_000; // 2026-11-20T12:00:00Z

    fn noon(plus_seconds: i64) -> Timestamp {
        Timestamp::from_second(NOON + plus_seconds).unwrap()
    }

    fn slot(plus_seconds: i64) -> i64 {
        slot_at(noon(plus_seconds))
    }

    fn allocations(plan: &CapacityPlan) -> Vec<(i64, i64)> {
        plan.allocations
            .iter()
            .map(|allocation| (allocation.slot, allocation.seconds))
            .collect()
    }

    #[test]
    fn an_idle_store_needs_the_minimum_wait() {
        let load = Load::new();
        let staffing = Staffing::constant(2);
        let store = StoreCapacity {
            load: &load,
            staffing: &staffing,
        };
        let plan = store.plan_earliest(90, noon(0), noon(3600)).unwrap();
        assert_eq!((plan.start_at, plan.ready_at), (noon(0), noon(180)));
        assert_eq!(allocations(&plan), [(slot(0), 90)]);
    }

    #[test]
    fn a_busy_store_is_ready_later() {
        let load = Load::from([(slot(0), 600), (slot(300), 500)]);
        let staffing = Staffing::constant(2);
        let store = StoreCapacity {
            load: &load,
            staffing: &staffing,
        };
        let plan = store.plan_earliest(200, noon(0), noon(3600)).unwrap();
        assert_eq!(allocations(&plan), [(slot(300), 100), (slot(600), 100)]);
        assert_eq!((plan.start_at, plan.ready_at), (noon(550), noon(660)));
    }

    #[test]
    fn an_order_that_does_not_fit_before_closing_has_no_plan() {
        let load = Load::new();
        let staffing = Staffing::constant(1);
        let store = StoreCapacity {
            load: &load,
            staffing: &staffing,
        };
        assert_eq!(store.plan_earliest(90, noon(0), noon(179)), None);
        assert_eq!(store.plan_earliest(1_000, noon(0), noon(900)), None);
    }

    #[test]
    fn a_partly_elapsed_slot_offers_only_its_remaining_time() {
        let load = Load::new();
        let staffing = Staffing::constant(1);
        let store = StoreCapacity {
            load: &load,
            staffing: &staffing,
        };
        let plan = store.plan_earliest(120, noon(240), noon(3600)).unwrap();
        assert_eq!(allocations(&plan), [(slot(240), 60), (slot(300), 60)]);
    }

    #[test]
    fn a_requested_time_is_met_as_late_as_possible() {
        let load = Load::from([(slot(3300), 250)]);
        let staffing = Staffing::constant(1);
        let store = StoreCapacity {
            load: &load,
            staffing: &staffing,
        };
        let plan = store.plan_ready_at(100, noon(0), noon(3600)).unwrap();
        assert_eq!(allocations(&plan), [(slot(3000), 50), (slot(3300), 50)]);
        assert_eq!((plan.start_at, plan.ready_at), (noon(3250), noon(3600)));
    }

    #[test]
    fn an_order_is_not_made_long_before_its_requested_time() {
        let staffing = Staffing::constant(1);
        let plan_if_busy_from = |from: i64| {
            let load: Load = (from..3600).step_by(300).map(|at| (slot(at), 300)).collect();
            let store = StoreCapacity {
                load: &load,
                staffing: &staffing,
            };
            store.plan_ready_at(120, noon(0), noon(3600))
        };
        let plan = plan_if_busy_from(2700).unwrap();
        assert_eq!(plan.start_at, noon(2580), "15 minutes and the make time before");
        assert_eq!(plan_if_busy_from(2400), None);
    }

    #[test]
    fn a_requested_time_within_the_minimum_wait_cannot_be_met() {
        let load = Load::new();
        let staffing = Staffing::constant(5);
        let store = StoreCapacity {
            load: &load,
            staffing: &staffing,
        };
        assert_eq!(store.plan_ready_at(10, noon(0), noon(179)), None);
    }

    proptest! {
        #[test]
        fn successive_orders_never_overbook(
            baristas in 1_u32..5,
            orders in proptest::collection::vec((0_u32..2_000, 0_i64..7_200, proptest::bool::ANY), 1..60),
        ) {
            let staffing = Staffing::constant(baristas);
            let mut load = Load::new();
            let until = noon(4 * 3600);
            for (make_seconds, after, scheduled) in orders {
                let store = StoreCapacity { load: &load, staffing: &staffing };
                let from = noon(after / 2);
                let plan = if scheduled {
                    store.plan_ready_at(make_seconds, from, noon(after))
                } else {
                    store.plan_earliest(make_seconds, from, until)
                };
                let Some(plan) = plan else { continue };
                let allocated: i64 = plan.allocations.iter().map(|allocation| allocation.seconds).sum();
                prop_assert_eq!(allocated, i64::from(make_seconds));
                prop_assert!(plan.start_at >= from && plan.start_at <= plan.ready_at && plan.ready_at <= until);
                prop_assert!(plan.ready_at.duration_since(from) >= MIN_WAIT);
                let lead = plan.ready_at.duration_since(plan.start_at);
                prop_assert!(!scheduled || lead <= MAX_LEAD_TIME + SignedDuration::from_secs(make_seconds.into()));
                prop_assert!(plan.allocations.is_sorted_by_key(|allocation| allocation.slot));
                for Allocation { slot, seconds } in plan.allocations {
                    prop_assert!(seconds > 0);
                    let used = load.entry(slot).or_default();
                    *used += seconds;
                    prop_assert!(*used <= staffing.capacity_seconds(slot));
                }
            }
        }

        #[test]
        fn more_load_never_makes_an_order_ready_earlier(
            extra in 1_i64..600,
            make_seconds in 1_u32..900,
            used in proptest::collection::vec(0_i64..=600, 12),
        ) {
            let load: Load = (slot(0)..).zip(used).collect();
            let mut higher_load = load.clone();
            for used in higher_load.values_mut() {
                *used = (*used + extra).min(600);
            }
            let staffing = Staffing::constant(2);
            let ready_at = |load| {
                StoreCapacity { load, staffing: &staffing }
                    .plan_earliest(make_seconds, noon(0), noon(3 * 3600))
                    .map(|plan| plan.ready_at)
            };
            prop_assert!(ready_at(&load) <= ready_at(&higher_load));
        }
    }
}
