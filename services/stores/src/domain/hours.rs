//! Opening hours in local time, and the periods of absolute time that they stand for.

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};

const MINUTES_PER_DAY: u16 = 1440;

/// One span of one weekday, in local minutes after midnight. It may end on the next day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    weekday: u8,
    opens_minute: u16,
    closes_minute: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a weekday from 1 to 7 and hours that end after they begin and within two days")]
pub struct InvalidOpening;

impl Opening {
    /// `weekday` is 1 for Monday to 7 for Sunday. `closes_minute` is above 1440 if the store closes after midnight.
    pub(crate) const fn new(
        weekday: u8,
        opens_minute: u16,
        closes_minute: u16,
    ) -> Result<Self, InvalidOpening> {
        if weekday >= 1
            && weekday <= 7
            && opens_minute < MINUTES_PER_DAY
            && closes_minute > opens_minute
            && closes_minute <= 2 * MINUTES_PER_DAY
        {
            Ok(Self {
                weekday,
                opens_minute,
                closes_minute,
            })
        } else {
            Err(InvalidOpening)
        }
    }

    /// Parses `06:30-20:00`. A closing time that is not after the opening time is on the next day; `24:00` is midnight.
    pub(crate) fn parse(weekday: u8, text: &str) -> Result<Self, InvalidOpening> {
        let (opens, closes) = text.trim().split_once('-').ok_or(InvalidOpening)?;
        let (opens, closes) = (parse_minute(opens)?, parse_minute(closes)?);
        Self::new(
            weekday,
            opens,
            if closes > opens {
                closes
            } else {
                closes + MINUTES_PER_DAY
            },
        )
    }

    #[must_use]
    pub(crate) const fn weekday(self) -> u8 {
        self.weekday
    }

    #[must_use]
    pub(crate) const fn opens_minute(self) -> u16 {
        self.opens_minute
    }

    #[must_use]
    pub(crate) const fn closes_minute(self) -> u16 {
        self.closes_minute
    }
}

fn parse_minute(text: &str) -> Result<u16, InvalidOpening> {
    let (hour, minute) = text.trim().split_once(':').ok_or(InvalidOpening)?;
    let (hour, minute): (u16, u16) = (
        hour.parse().map_err(|_| InvalidOpening)?,
        minute.parse().map_err(|_| InvalidOpening)?,
    );
    if hour > 24 || minute > 59 {
        Err(InvalidOpening)
    } else {
        Ok(hour * 60 + minute)
    }
}

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

/// The opening hours of a week.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WeeklyHours(Vec<Opening>);

impl WeeklyHours {
    #[must_use]
    pub(crate) fn new(mut openings: Vec<Opening>) -> Self {
        openings.sort_unstable();
        Self(openings)
    }

    /// Parses one span, such as `05:00-21:00`, and applies it to every day.
    ///
    /// # Errors
    /// [`InvalidOpening`] if the text is not such a span.
    pub fn parse_daily(text: &str) -> Result<Self, InvalidOpening> {
        (1..=7)
            .map(|weekday| Opening::parse(weekday, text))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    #[cfg(test)]
    pub(crate) fn daily(opens_minute: u16, closes_minute: u16) -> Self {
        let openings: Result<_, _> = (1..=7)
            .map(|weekday| Opening::new(weekday, opens_minute, closes_minute))
            .collect();
        Self(openings.unwrap())
    }

    /// Returns the openings ordered by weekday and time.
    #[must_use]
    pub(crate) fn openings(&self) -> &[Opening] {
        &self.0
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
                    .filter_map(move |opening| open_period(zone, date, opening))
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

    fn openings_on(&self, date: Date) -> impl Iterator<Item = Opening> {
        let weekday = date.weekday().to_monday_one_offset().unsigned_abs();
        self.0
            .iter()
            .copied()
            .filter(move |opening| opening.weekday == weekday)
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
    let (start, end) = (instant(opening.opens_minute)?, instant(opening.closes_minute)?);
    // The period is empty if it lies within the hour that the clocks skip.
    (start < end).then_some(OpenPeriod { start, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> TimeZone {
        TimeZone::get(name).unwrap()
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn period_at(hours: &WeeklyHours, zone: &TimeZone, now: &str) -> Option<OpenPeriod> {
        let now = at(now);
        hours
            .open_periods(zone, now, 8)
            .into_iter()
            .find(|period| period.contains(now))
    }

    #[test]
    fn hours_past_midnight_belong_to_the_day_before() {
        // Friday 18:00 to 02:00, in New York.
        let hours = WeeklyHours::new(vec![Opening::new(5, 1080, 1560).unwrap()]);
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
        let hours = WeeklyHours::new(vec![
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
        let hours = WeeklyHours::new(vec![Opening::new(6, 1320, 1800).unwrap()]); // Saturday 22:00 to Sunday 06:00
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
        let hours = WeeklyHours::new(vec![Opening::new(7, 150, 600).unwrap()]); // Sunday 02:30 to 10:00
        let period = period_at(&hours, &zone("America/New_York"), "2026-03-08T12:00:00Z").unwrap();
        assert_eq!(period.start, at("2026-03-08T07:30:00Z"), "03:30 daylight time");
    }

    #[test]
    fn a_store_that_never_closes_has_one_period() {
        let hours = WeeklyHours::daily(0, MINUTES_PER_DAY);
        assert_eq!(
            hours
                .open_periods(&zone("America/Los_Angeles"), at("2026-11-01T12:00:00Z"), 8)
                .len(),
            1
        );
    }

    #[test]
    fn hours_are_parsed() {
        assert_eq!(Opening::parse(1, "06:30-20:00"), Opening::new(1, 390, 1200));
        assert_eq!(Opening::parse(1, "18:00-02:00"), Opening::new(1, 1080, 1560));
        assert_eq!(Opening::parse(1, "00:00-24:00"), Opening::new(1, 0, 1440));
        for text in [
            "",
            "6-20",
            "25:00-26:00",
            "06:60-07:00",
            "24:00-25:00",
            "06:00",
            "a:b-c:d",
        ] {
            assert_eq!(Opening::parse(1, text), Err(InvalidOpening), "{text}");
        }
    }

    #[test]
    fn openings_out_of_range_are_invalid() {
        for (weekday, opens, closes) in [(0, 0, 10), (8, 0, 10), (1, 10, 10), (1, 1440, 1500), (1, 0, 2881)] {
            assert_eq!(Opening::new(weekday, opens, closes), Err(InvalidOpening));
        }
    }
}
