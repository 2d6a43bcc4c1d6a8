//! Make-minutes: what baristas can make in each five minutes of UTC, and where an order's making fits.
//!
//! A slice holds as many seconds of making as its baristas have together; orders take from it until it is full. An
//! order may be shared between baristas, and is made without a break as far as earlier reservations let it.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

/// Length of a slice.
pub const SLICE_SECONDS: i64 = 300;
/// Nothing stands on the shelf sooner: the order has to be seen, made and called.
const LEAST_WAIT: SignedDuration = SignedDuration::from_secs(180);
/// What making takes where nobody says.
pub const TYPICAL_MAKE_SECONDS: u32 = 120;

/// Seconds already reserved, by slice.
pub type Load = BTreeMap<i64, i64>;

/// The slice that an instant lies in.
#[must_use]
pub fn slice_of(at: Timestamp) -> i64 {
    at.as_second().div_euclid(SLICE_SECONDS)
}

/// Seconds of making in one slice.
#[must_use]
pub fn slice_capacity(baristas: u32) -> i64 {
    i64::from(baristas) * SLICE_SECONDS
}

/// Where an order's making goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What it takes from each slice, in order; every amount above zero.
    pub takes: Vec<(i64, i64)>,
    /// When the making has to start.
    pub start_at: Timestamp,
    /// When the order is ready; a whole minute.
    pub ready_at: Timestamp,
}

/// A store's counter: how many make drinks, and what they have already promised.
#[derive(Debug, Clone, Copy)]
pub struct Counter<'a> {
    /// Seconds already reserved.
    pub load: &'a Load,
    /// How many make drinks; at least one.
    pub baristas: u32,
}

impl Counter<'_> {
    /// The soonest plan that begins at `from` or later and is ready by `until`.
    #[must_use]
    pub fn soonest(&self, make_seconds: u32, from: Timestamp, until: Timestamp) -> Option<Plan> {
        let least = from.checked_add(LEAST_WAIT).ok()?;
        let mut left = i64::from(make_seconds);
        let mut takes = Vec::new();
        let (mut start, mut done) = (from.as_second(), from.as_second());
        for slice in slice_of(from)..=slice_of(until) {
            if left == 0 {
                break;
            }
            let take = left.min(self.free(slice, from.as_second(), until.as_second()));
            if take == 0 {
                continue;
            }
            // Making in a slice goes on from what is already promised there, and not before `from`.
            let begun =
                (slice * SLICE_SECONDS + self.used(slice).div_euclid(self.hands())).max(from.as_second());
            if takes.is_empty() {
                start = begun;
            }
            done = begun + ceil_div(take, self.hands());
            left -= take;
            takes.push((slice, take));
        }
        let ready_at = whole_minute_after(done.max(least.as_second()))?;
        (left == 0 && ready_at <= until).then_some(Plan {
            takes,
            start_at: second(start)?,
            ready_at,
        })
    }

    /// The latest making that begins at `from` or later and is ready exactly at `at`.
    #[must_use]
    pub fn ready_by(&self, make_seconds: u32, from: Timestamp, at: Timestamp) -> Option<Plan> {
        if at.duration_since(from) < LEAST_WAIT {
            return None;
        }
        let mut left = i64::from(make_seconds);
        let mut takes = Vec::new();
        let mut start = at.as_second();
        for slice in (slice_of(from)..=slice_of(at)).rev() {
            if left == 0 {
                break;
            }
            let take = left.min(self.free(slice, from.as_second(), at.as_second()));
            if take == 0 {
                continue;
            }
            let end = ((slice + 1) * SLICE_SECONDS).min(at.as_second());
            start = (end - ceil_div(take, self.hands())).max(from.as_second());
            left -= take;
            takes.push((slice, take));
        }
        takes.reverse();
        (left == 0).then_some(Plan {
            takes,
            start_at: second(start)?,
            ready_at: at,
        })
    }

    /// What is free of a slice between two instants, of which it may hold one or both.
    fn free(&self, slice: i64, from: i64, until: i64) -> i64 {
        let (start, end) = (slice * SLICE_SECONDS, (slice + 1) * SLICE_SECONDS);
        let seconds = (end.min(until) - start.max(from)).max(0);
        (slice_capacity(self.baristas) - self.used(slice))
            .min(seconds * self.hands())
            .max(0)
    }

    fn used(&self, slice: i64) -> i64 {
        self.load.get(&slice).copied().unwrap_or_default()
    }

    fn hands(&self) -> i64 {
        i64::from(self.baristas.max(1))
    }
}

fn ceil_div(amount: i64, by: i64) -> i64 {
    (amount + by - 1).div_euclid(by)
}

fn second(second: i64) -> Option<Timestamp> {
    Timestamp::from_second(second).ok()
}

fn whole_minute_after(at: i64) -> Option<Timestamp> {
    second(ceil_div(at, 60) * 60)
}

/// Minutes from `now` until `ready_at`, rounded up.
#[must_use]
pub fn wait_minutes(now: Timestamp, ready_at: Timestamp) -> u32 {
    u32::try_from(ceil_div(ready_at.duration_since(now).as_secs(), 60)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOON: i64 = 1_795_176_000; // 2026-11-20T12:00:00Z

    fn noon(plus: i64) -> Timestamp {
        Timestamp::from_second(NOON + plus).unwrap()
    }

    #[test]
    fn an_idle_counter_keeps_to_the_least_wait() {
        let load = Load::new();
        let plan = Counter {
            load: &load,
            baristas: 2,
        }
        .soonest(90, noon(0), noon(3600))
        .unwrap();
        assert_eq!((plan.start_at, plan.ready_at), (noon(0), noon(180)));
        assert_eq!(plan.takes, [(slice_of(noon(0)), 90)]);
    }

    #[test]
    fn a_busy_counter_promises_later() {
        let load = Load::from([(slice_of(noon(0)), 600), (slice_of(noon(300)), 500)]);
        let plan = Counter {
            load: &load,
            baristas: 2,
        }
        .soonest(200, noon(0), noon(3600))
        .unwrap();
        assert_eq!(
            plan.takes,
            [(slice_of(noon(300)), 100), (slice_of(noon(600)), 100)]
        );
        assert_eq!((plan.start_at, plan.ready_at), (noon(550), noon(660)));
    }

    #[test]
    fn what_does_not_fit_before_closing_is_not_promised() {
        let load = Load::new();
        let counter = Counter {
            load: &load,
            baristas: 1,
        };
        assert_eq!(counter.soonest(90, noon(0), noon(179)), None);
        assert_eq!(counter.soonest(1_000, noon(0), noon(900)), None);
    }

    #[test]
    fn the_rest_of_a_slice_holds_only_its_rest() {
        let load = Load::new();
        let plan = Counter {
            load: &load,
            baristas: 1,
        }
        .soonest(120, noon(240), noon(3600))
        .unwrap();
        assert_eq!(plan.takes, [(slice_of(noon(240)), 60), (slice_of(noon(300)), 60)]);
    }

    #[test]
    fn a_wanted_time_is_met_as_late_as_possible() {
        let load = Load::from([(slice_of(noon(3300)), 250)]);
        let plan = Counter {
            load: &load,
            baristas: 1,
        }
        .ready_by(100, noon(0), noon(3600))
        .unwrap();
        assert_eq!(
            plan.takes,
            [(slice_of(noon(3000)), 50), (slice_of(noon(3300)), 50)]
        );
        assert_eq!((plan.start_at, plan.ready_at), (noon(3250), noon(3600)));
    }

    #[test]
    fn a_wanted_time_too_soon_cannot_be_met() {
        let load = Load::new();
        assert_eq!(
            Counter {
                load: &load,
                baristas: 5
            }
            .ready_by(10, noon(0), noon(179)),
            None
        );
    }

    proptest! {
        #[test]
        fn orders_one_after_another_never_overbook(
            baristas in 1_u32..5,
            orders in proptest::collection::vec((0_u32..2_000, 0_i64..7_200, proptest::bool::ANY), 1..60),
        ) {
            let mut load = Load::new();
            let until = noon(4 * 3600);
            for (make_seconds, after, scheduled) in orders {
                let counter = Counter { load: &load, baristas };
                let from = noon(after / 2);
                let plan = if scheduled {
                    counter.ready_by(make_seconds, from, noon(after))
                } else {
                    counter.soonest(make_seconds, from, until)
                };
                let Some(plan) = plan else { continue };
                prop_assert_eq!(plan.takes.iter().map(|take| take.1).sum::<i64>(), i64::from(make_seconds));
                prop_assert!(plan.start_at >= from && plan.start_at <= plan.ready_at && plan.ready_at <= until);
                prop_assert!(plan.ready_at.duration_since(from) >= LEAST_WAIT);
                prop_assert!(plan.takes.is_sorted_by_key(|take| take.0) && plan.takes.iter().all(|take| take.1 > 0));
                for (slice, seconds) in plan.takes {
                    let used = load.entry(slice).or_default();
                    *used += seconds;
                    prop_assert!(*used <= slice_capacity(baristas));
                }
            }
        }

        #[test]
        fn more_load_never_makes_it_sooner(extra in 1_i64..600, make in 1_u32..900, slices in proptest::collection::vec(0_i64..=600, 12)) {
            let first = slice_of(noon(0));
            let load: Load = (first..).zip(slices).collect();
            let mut more = load.clone();
            for used in more.values_mut() {
                *used = (*used + extra).min(600);
            }
            let ready = |load| Counter { load, baristas: 2 }.soonest(make, noon(0), noon(3 * 3600)).map(|plan| plan.ready_at);
            prop_assert!(ready(&load) <= ready(&more));
        }
    }
}
