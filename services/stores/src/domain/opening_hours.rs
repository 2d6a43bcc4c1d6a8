//! The regular hours of a store and its special days, and their conversion to periods of absolute time.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};

use super::hours::{InvalidOpening, Opening, WeeklyHours, has_overlap};

/// A period in which a store is open, without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenPeriod {
    pub(crate) start: Timestamp,
    pub(crate) end: Timestamp,
}

impl OpenPeriod {
    #[must_use]
    pub(crate) fn contains(self, at: Timestamp) -> bool {
        self.start <= at && at < self.end
    }
}

/// A day with special hours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecialDay {
    /// Such as "Thanksgiving"; may be empty.
    pub(crate) name: String,
    /// Of the weekday of this day, ordered. Empty if the store is closed all day.
    pub(crate) openings: Vec<Opening>,
}

impl SpecialDay {
    /// `spans` are local minutes after midnight: opening and closing.
    ///
    /// # Errors
    /// [`InvalidOpening`] if a span is invalid or two spans overlap.
    pub(crate) fn new(day: Date, name: String, spans: &[(u16, u16)]) -> Result<Self, InvalidOpening> {
        let mut openings = spans
            .iter()
            .map(|&(opens, closes)| Opening::new(weekday(day), opens, closes))
            .collect::<Result<Vec<_>, _>>()?;
        openings.sort_unstable();
        if has_overlap(&openings) {
            Err(InvalidOpening)
        } else {
            Ok(Self { name, openings })
        }
    }
}

/// 1 for Monday to 7 for Sunday.
fn weekday(day: Date) -> u8 {
    day.weekday().to_monday_one_offset().unsigned_abs()
}

/// When a store is open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpeningHours {
    pub(crate) weekly: WeeklyHours,
    /// They replace the weekly hours, in local days. Hours past midnight belong to the day before.
    pub(crate) special_days: BTreeMap<Date, SpecialDay>,
}

impl From<WeeklyHours> for OpeningHours {
    fn from(weekly: WeeklyHours) -> Self {
        Self {
            weekly,
            special_days: BTreeMap::new(),
        }
    }
}

impl OpeningHours {
    /// Returns whether the store has opening hours on any day. An imported store may have none.
    #[must_use]
    pub(crate) fn has_openings(&self) -> bool {
        let mut special_days = self.special_days.values();
        !self.weekly.openings().is_empty() || special_days.any(|day| !day.openings.is_empty())
    }

    /// Returns the periods in which the store is open, from two days before `from` to `days` days after it.
    ///
    /// Periods that touch or overlap are merged: a store that never closes has a single period. Hours are wall-clock
    /// time: an opening time that the clocks skip in spring counts as one hour later, and a night shift is then an hour
    /// shorter.
    #[must_use]
    pub(crate) fn open_periods(&self, zone: &TimeZone, from: Timestamp, days: i32) -> Vec<OpenPeriod> {
        let today = zone.to_datetime(from).date();
        let mut periods: Vec<OpenPeriod> = (-2..=days)
            .filter_map(|offset| {
                today
                    .checked_add(SignedDuration::from_hours(24 * i64::from(offset)))
                    .ok()
            })
            .flat_map(|date| {
                self.openings_on(date)
                    .iter()
                    .filter_map(move |opening| open_period(zone, date, *opening))
            })
            .collect();
        periods.sort_unstable_by_key(|period| period.start);
        let mut merged: Vec<OpenPeriod> = Vec::with_capacity(periods.len());
        for period in periods {
            match merged.last_mut() {
                Some(last) if period.start <= last.end => last.end = last.end.max(period.end),
                _ => merged.push(period),
            }
        }
        merged
    }

    fn openings_on(&self, date: Date) -> &[Opening] {
        match self.special_days.get(&date) {
            Some(special_day) => &special_day.openings,
            None => self.weekly.openings_of(weekday(date)),
        }
    }
}

fn open_period(zone: &TimeZone, date: Date, opening: Opening) -> Option<OpenPeriod> {
    let instant = |minute: u16| {
        let local = date
            .at(0, 0, 0, 0)
            .checked_add(SignedDuration::from_mins(i64::from(minute)))
            .ok()?;
        zone.to_ambiguous_timestamp(local).compatible().ok()
    };
    let (start, end) = (
        instant(opening.opens_minute())?,
        instant(opening.closes_minute())?,
    );
    // The period is empty if it lies within the hour that the clocks skip.
    (start < end).then_some(OpenPeriod { start, end })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::hours::MINUTES_PER_DAY;

    fn zone(name: &str) -> TimeZone {
        TimeZone::get(name).unwrap()
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn weekly(openings: Vec<Opening>) -> OpeningHours {
        WeeklyHours::new(openings).into()
    }

    fn special(mut hours: OpeningHours, date: &str, spans: &[(u16, u16)]) -> OpeningHours {
        let day: Date = date.parse().unwrap();
        let special_day = SpecialDay::new(day, "Holiday".into(), spans).unwrap();
        hours.special_days.insert(day, special_day);
        hours
    }

    fn period_at(hours: &OpeningHours, zone: &TimeZone, now: &str) -> Option<OpenPeriod> {
        let now = at(now);
        hours
            .open_periods(zone, now, 8)
            .into_iter()
            .find(|period| period.contains(now))
    }

    #[test]
    fn hours_past_midnight_belong_to_the_day_before() {
        // Friday 18:00 to 02:00, in New York.
        let hours = weekly(vec![Opening::new(5, 1080, 1560).unwrap()]);
        let new_york = zone("America/New_York");
        assert!(
            period_at(&hours, &new_york, "2026-11-21T06:30:00Z").is_some(),
            "Saturday 01:30"
        );
        assert!(
            period_at(&hours, &new_york, "2026-11-21T07:00:00Z").is_none(),
            "Saturday 02:00"
        );
        assert!(
            period_at(&hours, &new_york, "2026-11-20T06:30:00Z").is_none(),
            "Friday 01:30"
        );
    }

    #[test]
    fn a_store_is_closed_during_its_break() {
        let hours = weekly(vec![
            Opening::new(5, 840, 1080).unwrap(),
            Opening::new(5, 420, 720).unwrap(),
        ]);
        let utc = zone("Etc/UTC");
        assert!(period_at(&hours, &utc, "2026-11-20T11:59:59Z").is_some());
        assert!(period_at(&hours, &utc, "2026-11-20T13:00:00Z").is_none());
        assert!(period_at(&hours, &utc, "2026-11-20T14:00:00Z").is_some());
    }

    #[test]
    fn a_night_shift_is_shorter_or_longer_when_the_clocks_change() {
        let hours = weekly(vec![Opening::new(6, 1320, 1800).unwrap()]); // Saturday 22:00 to Sunday 06:00
        let chicago = zone("America/Chicago");
        let length = |now| {
            period_at(&hours, &chicago, now).map(|period| period.end.duration_since(period.start).as_hours())
        };
        assert_eq!(length("2026-03-08T06:00:00Z"), Some(7), "spring forward");
        assert_eq!(length("2026-11-01T06:00:00Z"), Some(9), "fall back");
        assert_eq!(length("2026-11-08T06:00:00Z"), Some(8));
    }

    #[test]
    fn an_opening_time_in_the_skipped_hour_is_an_hour_later() {
        let hours = weekly(vec![Opening::new(7, 150, 600).unwrap()]); // Sunday 02:30 to 10:00
        let period = period_at(&hours, &zone("America/New_York"), "2026-03-08T12:00:00Z").unwrap();
        assert_eq!(period.start, at("2026-03-08T07:30:00Z"), "03:30 daylight time");
    }

    #[test]
    fn a_store_that_never_closes_has_one_period() {
        let hours = OpeningHours::from(WeeklyHours::daily(0, MINUTES_PER_DAY));
        assert_eq!(
            hours
                .open_periods(&zone("America/Los_Angeles"), at("2026-11-01T12:00:00Z"), 8)
                .len(),
            1
        );
    }

    #[test]
    fn a_special_day_replaces_the_hours_of_its_local_day() {
        let utc_minus_8 = zone("America/Los_Angeles");
        let hours = OpeningHours::from(WeeklyHours::daily(360, 1200));
        // Thursday, 26 November.
        let closed = special(hours.clone(), "2026-11-26", &[]);
        let shorter = special(hours.clone(), "2026-11-26", &[(480, 720), (780, 840)]);
        for (at, usual, is_open_if_closed, is_open_if_shorter) in [
            ("2026-11-25T20:00:00Z", true, true, true),
            ("2026-11-26T14:30:00Z", true, false, false), // 6:30
            ("2026-11-26T17:00:00Z", true, false, true),  // 9:00
            ("2026-11-26T20:30:00Z", true, false, false), // 12:30
            ("2026-11-26T21:30:00Z", true, false, true),  // 13:30
            ("2026-11-27T03:00:00Z", true, false, false), // 19:00
            ("2026-11-27T14:30:00Z", true, true, true),
        ] {
            let is_open = |hours| period_at(hours, &utc_minus_8, at).is_some();
            assert_eq!(
                (is_open(&hours), is_open(&closed), is_open(&shorter)),
                (usual, is_open_if_closed, is_open_if_shorter),
                "{at}"
            );
        }
    }

    #[test]
    fn a_store_that_never_closes_closes_on_a_holiday_from_midnight_to_midnight() {
        let los_angeles = zone("America/Los_Angeles");
        let hours = special(WeeklyHours::daily(0, MINUTES_PER_DAY).into(), "2026-11-26", &[]);
        for (at, is_open) in [
            ("2026-11-26T07:59:59Z", true),
            ("2026-11-26T08:00:00Z", false),
            ("2026-11-27T07:59:59Z", false),
            ("2026-11-27T08:00:00Z", true),
        ] {
            assert_eq!(period_at(&hours, &los_angeles, at).is_some(), is_open, "{at}");
        }
    }

    #[test]
    fn a_night_shift_ends_on_the_holiday_after_it() {
        let new_york = zone("America/New_York");
        let hours = special(
            weekly(vec![Opening::new(3, 1080, 1560).unwrap()]), // Wednesday 18:00 to Thursday 02:00
            "2026-11-26",
            &[],
        );
        assert!(
            period_at(&hours, &new_york, "2026-11-26T06:30:00Z").is_some(),
            "Thursday 01:30"
        );
    }

    #[test]
    fn special_hours_follow_the_clocks_when_they_change() {
        let chicago = zone("America/Chicago");
        let length = |date, at| {
            let hours = special(OpeningHours::default(), date, &[(60, 360)]); // 1:00 to 6:00
            let period = period_at(&hours, &chicago, at)?;
            Some(period.end.duration_since(period.start).as_hours())
        };
        assert_eq!(
            length("2026-03-08", "2026-03-08T10:00:00Z"),
            Some(4),
            "spring forward"
        );
        assert_eq!(length("2026-11-01", "2026-11-01T10:00:00Z"), Some(6), "fall back");
        assert_eq!(length("2026-11-02", "2026-11-02T10:00:00Z"), Some(5));
    }

    #[test]
    fn spans_of_a_special_day_do_not_overlap() {
        let day: Date = "2026-11-26".parse().unwrap();
        for spans in [&[(480, 720), (700, 800)][..], &[(720, 480)], &[(1440, 1500)]] {
            assert_eq!(
                SpecialDay::new(day, String::new(), spans),
                Err(InvalidOpening),
                "{spans:?}"
            );
        }
    }
}
