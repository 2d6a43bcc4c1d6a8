//! When an order can be picked up: at once, or at a time that the consumer wants.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::{
    capacity::{Counter, Plan},
    hours::{Span, Week},
};

/// How far ahead an order may be scheduled: an authorization of a card outlives it.
pub const FURTHEST_DAYS: i32 = 5;
/// Slots start at full quarters of an hour.
const SLOT_SECONDS: i64 = 900;
/// Nobody waits longer for something ordered "now".
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(12);

/// When an order is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// As soon as possible.
    Soonest,
    /// At this instant.
    At(Timestamp),
}

/// Why an order cannot be had when it is wanted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotThen {
    /// The store is closed now, or closes before the order can be made.
    #[error("The store is closed, or closes before this could be ready.")]
    Closed,
    /// The store takes no orders ahead just now.
    #[error("The store is not taking orders ahead just now.")]
    Paused,
    /// The time wanted lies outside the opening hours, in the past, or too far ahead.
    #[error(
        "The store cannot have an order ready at that time: choose a time within its hours and the next {FURTHEST_DAYS} days."
    )]
    OutsideHours,
    /// Everything that could be made until then is promised to others.
    #[error("That pickup time is taken.")]
    Taken {
        /// The soonest it could be ready instead.
        soonest: Option<Timestamp>,
    },
}

/// A store as far as promises go.
#[derive(Debug, Clone, Copy)]
pub struct Shop<'a> {
    /// Its counter.
    pub counter: Counter<'a>,
    /// Its hours.
    pub week: &'a Week,
    /// Its clock.
    pub zone: &'a TimeZone,
    /// Whether it takes no orders ahead for now.
    pub paused: bool,
}

impl Shop<'_> {
    /// Where an order's making would go.
    ///
    /// # Errors
    /// [`NotThen`]. A paused store promises nothing for now, but keeps what it promises for later.
    pub fn plan(&self, make_seconds: u32, wanted: Wanted, now: Timestamp) -> Result<Plan, NotThen> {
        let spans = self.week.spans(self.zone, now, FURTHEST_DAYS + 1);
        match wanted {
            Wanted::Soonest => self.soonest(&spans, make_seconds, now),
            Wanted::At(at) => {
                let span = open_at(&spans, at, now).ok_or(NotThen::OutsideHours)?;
                let plan = self.counter.ready_by(make_seconds, now.max(span.start), at);
                plan.ok_or_else(|| {
                    let soonest = self.soonest(&spans, make_seconds, now).ok();
                    NotThen::Taken {
                        soonest: soonest.map(|plan| plan.ready_at),
                    }
                })
            }
        }
    }

    /// When an order could be had at the soonest, today or another day, were it not for a pause.
    #[must_use]
    pub fn soonest_ever(&self, make_seconds: u32, now: Timestamp) -> Option<Timestamp> {
        let spans = self.week.spans(self.zone, now, FURTHEST_DAYS + 1);
        let ahead = spans.iter().filter(|span| span.end > now);
        let mut plans =
            ahead.filter_map(|span| self.counter.soonest(make_seconds, now.max(span.start), span.end));
        plans.next().map(|plan| plan.ready_at)
    }

    /// The times to choose from, each of which can be kept as things stand.
    #[must_use]
    pub fn slots(&self, make_seconds: u32, now: Timestamp) -> Vec<Timestamp> {
        let spans = self.week.spans(self.zone, now, FURTHEST_DAYS + 1);
        let first = now.as_second().div_euclid(SLOT_SECONDS) + 1;
        let last = furthest(now).as_second().div_euclid(SLOT_SECONDS);
        (first..=last)
            .filter_map(|slot| Timestamp::from_second(slot * SLOT_SECONDS).ok())
            .filter(|&at| {
                open_at(&spans, at, now).is_some_and(|span| {
                    self.counter
                        .ready_by(make_seconds, now.max(span.start), at)
                        .is_some()
                })
            })
            .collect()
    }

    fn soonest(&self, spans: &[Span], make_seconds: u32, now: Timestamp) -> Result<Plan, NotThen> {
        let span = spans.iter().find(|span| span.holds(now)).ok_or(NotThen::Closed)?;
        if self.paused {
            return Err(NotThen::Paused);
        }
        let until = now
            .checked_add(LONGEST_WAIT)
            .map_or(span.end, |longest| span.end.min(longest));
        self.counter
            .soonest(make_seconds, now, until)
            .ok_or(NotThen::Closed)
    }
}

/// The last instant for which an order can be scheduled.
#[must_use]
pub fn furthest(now: Timestamp) -> Timestamp {
    now.checked_add(SignedDuration::from_hours(24 * i64::from(FURTHEST_DAYS)))
        .unwrap_or(Timestamp::MAX)
}

/// The open stretch in which an order wanted at `at` is made; it may still be fetched at the very end of it.
fn open_at(spans: &[Span], at: Timestamp, now: Timestamp) -> Option<Span> {
    let ahead = at > now && at <= furthest(now);
    spans
        .iter()
        .copied()
        .find(|span| ahead && span.start < at && at <= span.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::capacity::{Load, slice_of};

    struct Bar {
        load: Load,
        week: Week,
        zone: TimeZone,
    }

    impl Bar {
        fn open(opens: u16, closes: u16) -> Self {
            Self {
                load: Load::new(),
                week: Week::daily(opens, closes).unwrap(),
                zone: TimeZone::get("America/Chicago").unwrap(),
            }
        }

        fn shop(&self, paused: bool) -> Shop<'_> {
            Shop {
                counter: Counter {
                    load: &self.load,
                    baristas: 1,
                },
                week: &self.week,
                zone: &self.zone,
                paused,
            }
        }

        fn local(&self, text: &str) -> Timestamp {
            self.zone.to_timestamp(text.parse().unwrap()).unwrap()
        }
    }

    #[test]
    fn a_closed_or_paused_store_promises_nothing_for_now() {
        let bar = Bar::open(360, 1200);
        let (early, noon) = (bar.local("2026-11-20T05:00:00"), bar.local("2026-11-20T12:00:00"));
        assert_eq!(
            bar.shop(false).plan(90, Wanted::Soonest, early),
            Err(NotThen::Closed)
        );
        assert_eq!(
            bar.shop(true).plan(90, Wanted::Soonest, noon),
            Err(NotThen::Paused)
        );
        assert!(bar.shop(false).plan(90, Wanted::Soonest, noon).is_ok());
        let closing = bar.local("2026-11-20T19:58:00");
        assert_eq!(
            bar.shop(false).plan(90, Wanted::Soonest, closing),
            Err(NotThen::Closed),
            "closes before it is made"
        );
    }

    #[test]
    fn a_time_is_kept_within_hours_and_days() {
        let bar = Bar::open(360, 1200);
        let noon = bar.local("2026-11-20T12:00:00");
        let plan = |text: &str| {
            bar.shop(false)
                .plan(90, Wanted::At(bar.local(text)), noon)
                .map(|plan| plan.ready_at)
        };
        assert_eq!(plan("2026-11-21T06:15:00"), Ok(bar.local("2026-11-21T06:15:00")));
        assert_eq!(
            plan("2026-11-20T20:00:00"),
            Ok(bar.local("2026-11-20T20:00:00")),
            "the last moment"
        );
        for outside in [
            "2026-11-20T11:59:00",
            "2026-11-20T20:01:00",
            "2026-11-21T05:00:00",
            "2026-11-25T12:01:00",
        ] {
            assert_eq!(plan(outside), Err(NotThen::OutsideHours), "{outside}");
        }
    }

    #[test]
    fn a_time_that_is_taken_says_what_is_free() {
        let mut bar = Bar::open(360, 1200);
        let noon = bar.local("2026-11-20T12:00:00");
        bar.load = (slice_of(noon)..slice_of(noon) + 6)
            .map(|slice| (slice, 300))
            .collect();
        let wanted = Wanted::At(bar.local("2026-11-20T12:15:00"));
        let soonest = Some(bar.local("2026-11-20T12:32:00"));
        assert_eq!(
            bar.shop(false).plan(90, wanted, noon),
            Err(NotThen::Taken { soonest })
        );
    }

    #[test]
    fn a_closed_store_says_when_it_could() {
        let bar = Bar::open(360, 1200);
        let evening = bar.local("2026-11-20T19:59:00");
        assert_eq!(
            bar.shop(true).soonest_ever(90, evening),
            Some(bar.local("2026-11-21T06:03:00"))
        );
        let never = Bar {
            week: Week::default(),
            ..Bar::open(360, 1200)
        };
        assert_eq!(never.shop(false).soonest_ever(90, evening), None);
    }

    #[test]
    fn slots_are_quarters_that_can_be_kept() {
        let bar = Bar::open(360, 1200);
        let slots = bar.shop(false).slots(90, bar.local("2026-11-20T19:20:00"));
        let first: Vec<_> = slots.iter().take(5).copied().collect();
        let expected = ["20T19:30", "20T19:45", "20T20:00", "21T06:15", "21T06:30"];
        assert_eq!(
            first,
            expected.map(|time| bar.local(&format!("2026-11-{time}:00")))
        );
        assert_eq!(slots.last(), Some(&bar.local("2026-11-25T19:15:00")));
        let every = |slot: &Timestamp| {
            bar.shop(false)
                .plan(90, Wanted::At(*slot), bar.local("2026-11-20T19:20:00"))
                .is_ok()
        };
        assert!(slots.iter().all(every));
    }
}
