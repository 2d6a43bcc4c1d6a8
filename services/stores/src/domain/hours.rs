//! Opening hours: what is written on the door, and the instants it stands for.

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};

/// Minutes of a day.
pub const DAY_MINUTES: u16 = 1440;

/// One span of one weekday, local minutes after midnight. It may end on the next day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    weekday: u8,
    opens: u16,
    closes: u16,
}

/// Numbers that are no opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a weekday of 1 to 7 and hours that end after they begin and within two days")]
pub struct BadOpening;

impl Opening {
    /// A span of a weekday (1 Monday to 7 Sunday).
    ///
    /// # Errors
    /// [`BadOpening`].
    pub const fn new(weekday: u8, opens: u16, closes: u16) -> Result<Self, BadOpening> {
        if weekday >= 1 && weekday <= 7 && opens < DAY_MINUTES && closes > opens && closes <= 2 * DAY_MINUTES
        {
            Ok(Self {
                weekday,
                opens,
                closes,
            })
        } else {
            Err(BadOpening)
        }
    }

    /// Reads `06:30-20:00`. A closing that is not after the opening is on the next day; `24:00` is midnight.
    ///
    /// # Errors
    /// [`BadOpening`].
    pub fn parse(weekday: u8, text: &str) -> Result<Self, BadOpening> {
        let (opens, closes) = text.trim().split_once('-').ok_or(BadOpening)?;
        let (opens, closes) = (minute(opens)?, minute(closes)?);
        Self::new(
            weekday,
            opens,
            if closes > opens {
                closes
            } else {
                closes + DAY_MINUTES
            },
        )
    }

    /// 1 Monday to 7 Sunday.
    #[must_use]
    pub const fn weekday(self) -> u8 {
        self.weekday
    }

    /// Local minute of opening.
    #[must_use]
    pub const fn opens(self) -> u16 {
        self.opens
    }

    /// Local minute of closing; past 1440 after midnight.
    #[must_use]
    pub const fn closes(self) -> u16 {
        self.closes
    }
}

fn minute(text: &str) -> Result<u16, BadOpening> {
    let (hour, minute) = text.trim().split_once(':').ok_or(BadOpening)?;
    let (hour, minute): (u16, u16) = (
        hour.parse().map_err(|_| BadOpening)?,
        minute.parse().map_err(|_| BadOpening)?,
    );
    if hour > 24 || minute > 59 {
        Err(BadOpening)
    } else {
        Ok(hour * 60 + minute)
    }
}

/// A stretch of time in which a store is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Open from here …
    pub start: Timestamp,
    /// … until before here.
    pub end: Timestamp,
}

impl Span {
    /// Whether an instant lies in it.
    #[must_use]
    pub fn holds(self, at: Timestamp) -> bool {
        self.start <= at && at < self.end
    }
}

/// The hours of a week.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Week(Vec<Opening>);

impl Week {
    /// A week of these openings, in any order.
    #[must_use]
    pub fn new(mut openings: Vec<Opening>) -> Self {
        openings.sort_unstable();
        Self(openings)
    }

    /// The same span every day.
    ///
    /// # Errors
    /// [`BadOpening`].
    pub fn daily(opens: u16, closes: u16) -> Result<Self, BadOpening> {
        (1..=7)
            .map(|weekday| Opening::new(weekday, opens, closes))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Its openings from Monday on.
    #[must_use]
    pub fn openings(&self) -> &[Opening] {
        &self.0
    }

    /// The open stretches that touch the time from the day before `from` to `days` days after it. Those that meet or
    /// overlap are one: a store open around the clock has a single span, and closing at midnight to open at midnight is
    /// no change.
    ///
    /// Hours are wall-clock time: on the night the clocks go forward a store that opens at 02:30 opens when that
    /// minute would have been, and a night shift is an hour shorter.
    #[must_use]
    pub fn spans(&self, zone: &TimeZone, from: Timestamp, days: i32) -> Vec<Span> {
        let today = zone.to_datetime(from).date();
        let mut spans: Vec<Span> = (-2..=days)
            .filter_map(|offset| {
                today
                    .checked_add(SignedDuration::from_hours(24 * i64::from(offset)))
                    .ok()
            })
            .flat_map(|date| self.on(date).filter_map(move |opening| span(zone, date, opening)))
            .collect();
        spans.sort_unstable_by_key(|span| span.start);
        let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
        for span in spans {
            match merged.last_mut() {
                Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                _ => merged.push(span),
            }
        }
        merged
    }

    fn on(&self, date: Date) -> impl Iterator<Item = Opening> {
        let weekday = date.weekday().to_monday_one_offset().unsigned_abs();
        self.0
            .iter()
            .copied()
            .filter(move |opening| opening.weekday == weekday)
    }
}

fn span(zone: &TimeZone, date: Date, opening: Opening) -> Option<Span> {
    let instant = |minute: u16| {
        let wall = date
            .at(0, 0, 0, 0)
            .checked_add(SignedDuration::from_mins(i64::from(minute)))
            .ok()?;
        zone.to_ambiguous_timestamp(wall).compatible().ok()
    };
    let (start, end) = (instant(opening.opens)?, instant(opening.closes)?);
    // Hours that fall wholly into the hour that the clocks skip.
    (start < end).then_some(Span { start, end })
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

    fn span_at(week: &Week, zone: &TimeZone, now: &str) -> Option<Span> {
        let now = at(now);
        week.spans(zone, now, 8).into_iter().find(|span| span.holds(now))
    }

    #[test]
    fn is_open_after_midnight_on_the_day_before() {
        // Friday 18:00 to 02:00, in New York.
        let week = Week::new(vec![Opening::new(5, 1080, 1560).unwrap()]);
        let new_york = zone("America/New_York");
        assert!(
            span_at(&week, &new_york, "2026-11-21T06:30:00Z").is_some(),
            "Saturday 01:30"
        );
        assert!(
            span_at(&week, &new_york, "2026-11-21T07:00:00Z").is_none(),
            "Saturday 02:00"
        );
        assert!(
            span_at(&week, &new_york, "2026-11-20T06:30:00Z").is_none(),
            "Friday 01:30"
        );
    }

    #[test]
    fn a_break_is_a_hole() {
        let week = Week::new(vec![
            Opening::new(5, 840, 1080).unwrap(),
            Opening::new(5, 420, 720).unwrap(),
        ]);
        let utc = zone("Etc/UTC");
        assert!(span_at(&week, &utc, "2026-11-20T11:59:59Z").is_some());
        assert!(span_at(&week, &utc, "2026-11-20T13:00:00Z").is_none());
        assert!(span_at(&week, &utc, "2026-11-20T14:00:00Z").is_some());
    }

    #[test]
    fn a_night_is_shorter_or_longer_when_the_clocks_change() {
        let week = Week::new(vec![Opening::new(6, 1320, 1800).unwrap()]); // Saturday 22:00 to Sunday 06:00
        let chicago = zone("America/Chicago");
        let length =
            |now| span_at(&week, &chicago, now).map(|span| span.end.duration_since(span.start).as_hours());
        assert_eq!(length("2026-03-08T06:00:00Z"), Some(7), "spring forward");
        assert_eq!(length("2026-11-01T06:00:00Z"), Some(9), "fall back");
        assert_eq!(length("2026-11-08T06:00:00Z"), Some(8));
    }

    #[test]
    fn opening_in_the_skipped_hour_is_moved_not_lost() {
        let week = Week::new(vec![Opening::new(7, 150, 600).unwrap()]); // Sunday 02:30 to 10:00
        let span = span_at(&week, &zone("America/New_York"), "2026-03-08T12:00:00Z").unwrap();
        assert_eq!(span.start, at("2026-03-08T07:30:00Z"), "03:30 daylight time");
    }

    #[test]
    fn around_the_clock_is_one_span() {
        let week = Week::daily(0, DAY_MINUTES).unwrap();
        assert_eq!(
            week.spans(&zone("America/Los_Angeles"), at("2026-11-01T12:00:00Z"), 8)
                .len(),
            1
        );
    }

    #[test]
    fn reads_hours_as_people_write_them() {
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
            assert_eq!(Opening::parse(1, text), Err(BadOpening), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_opening() {
        for (weekday, opens, closes) in [(0, 0, 10), (8, 0, 10), (1, 10, 10), (1, 1440, 1500), (1, 0, 2881)] {
            assert_eq!(Opening::new(weekday, opens, closes), Err(BadOpening));
        }
    }
}
