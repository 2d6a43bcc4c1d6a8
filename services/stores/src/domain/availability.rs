//! Whether a store accepts orders now, when that changes next, and a summary for the consumer.

use jiff::{Timestamp, ToSpan, civil::DateTime, tz::TimeZone};

use super::hours::{OpenPeriod, WeeklyHours};

/// How far ahead the next opening is searched.
const LOOKAHEAD_DAYS: i32 = 9;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenState {
    /// `closes_at` is empty if the store never closes.
    Open { closes_at: Option<Timestamp> },
    /// Open, but not accepting orders at the moment.
    Paused { closes_at: Option<Timestamp> },
    /// `opens_at` is empty if the store does not open in the next days.
    Closed { opens_at: Option<Timestamp> },
}

/// The state of a store at one instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreAvailability {
    pub(crate) state: OpenState,
    /// In the store's local time: "Open until 8:00 PM".
    pub(crate) summary: String,
}

impl StoreAvailability {
    #[must_use]
    pub(crate) fn at(hours: &WeeklyHours, zone: &TimeZone, paused: bool, now: Timestamp) -> Self {
        let periods = hours.open_periods(zone, now, LOOKAHEAD_DAYS);
        let local_now = zone.to_datetime(now);
        if let Some(period) = periods.iter().find(|period| period.contains(now)) {
            let closes_at = closing_time(*period, now);
            let summary = match closes_at {
                None => "Open 24 hours".to_owned(),
                Some(at) => format!("Open until {}", format_closing(local_now, zone.to_datetime(at))),
            };
            let state = if paused {
                OpenState::Paused { closes_at }
            } else {
                OpenState::Open { closes_at }
            };
            return Self { state, summary };
        }
        let opens_at = periods
            .iter()
            .find(|period| period.start > now)
            .map(|period| period.start);
        let summary = match opens_at {
            None => "Closed until further notice".to_owned(),
            Some(at) => format!("Opens {}", format_opening(local_now, zone.to_datetime(at))),
        };
        Self {
            state: OpenState::Closed { opens_at },
            summary,
        }
    }

    /// Returns when the opening hours change the state next.
    #[must_use]
    pub(crate) const fn next_change_at(&self) -> Option<Timestamp> {
        match self.state {
            OpenState::Open { closes_at } | OpenState::Paused { closes_at } => closes_at,
            OpenState::Closed { opens_at } => opens_at,
        }
    }
}

/// Returns the end of a period, or `None` if it lasts longer than a week: such a store never closes.
fn closing_time(period: OpenPeriod, now: Timestamp) -> Option<Timestamp> {
    let horizon = now.checked_add((24 * 7).hours()).unwrap_or(Timestamp::MAX);
    (period.end <= horizon).then_some(period.end)
}

/// Formats "8:00 PM", or "Monday 8:00 PM" if that is neither today nor the coming night.
fn format_closing(now: DateTime, closes: DateTime) -> String {
    let is_today_or_tonight = closes.date() == now.date() || (is_tomorrow(now, closes) && closes.hour() < 12);
    if is_today_or_tonight {
        format_time(closes)
    } else {
        format!("{} {}", closes.strftime("%A"), format_time(closes))
    }
}

/// Formats "at 6:00 AM", "tomorrow at 6:00 AM" or "Monday at 6:00 AM".
fn format_opening(now: DateTime, opens: DateTime) -> String {
    if opens.date() == now.date() {
        format!("at {}", format_time(opens))
    } else if is_tomorrow(now, opens) {
        format!("tomorrow at {}", format_time(opens))
    } else {
        format!("{} at {}", opens.strftime("%A"), format_time(opens))
    }
}

fn is_tomorrow(now: DateTime, other: DateTime) -> bool {
    now.date()
        .tomorrow()
        .is_ok_and(|tomorrow| tomorrow == other.date())
}

fn format_time(time: DateTime) -> String {
    if (time.hour(), time.minute()) == (0, 0) {
        "midnight".to_owned()
    } else {
        time.strftime("%-I:%M %p").to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::hours::Opening;

    fn availability(hours: &WeeklyHours, paused: bool, local_time: &str) -> StoreAvailability {
        let zone = TimeZone::get("America/Los_Angeles").unwrap();
        let now = zone.to_timestamp(local_time.parse().unwrap()).unwrap();
        StoreAvailability::at(hours, &zone, paused, now)
    }

    fn monday_to_friday() -> WeeklyHours {
        WeeklyHours::new((1..=5).map(|day| Opening::new(day, 360, 1200).unwrap()).collect())
    }

    #[test]
    fn the_summary_names_the_next_opening_or_closing() {
        // 20 November 2026 is a Friday.
        for (local_time, summary) in [
            ("2026-11-20T05:59:59", "Opens at 6:00 AM"),
            ("2026-11-20T06:00:00", "Open until 8:00 PM"),
            ("2026-11-19T20:00:00", "Opens tomorrow at 6:00 AM"),
            ("2026-11-20T20:00:00", "Opens Monday at 6:00 AM"),
        ] {
            assert_eq!(
                availability(&monday_to_friday(), false, local_time).summary,
                summary,
                "{local_time}"
            );
        }
    }

    #[test]
    fn closing_in_the_coming_night_needs_no_weekday() {
        let summary = |hours| availability(&hours, false, "2026-11-20T23:00:00").summary;
        assert_eq!(summary(WeeklyHours::daily(1080, 1560)), "Open until 2:00 AM");
        assert_eq!(summary(WeeklyHours::daily(600, 1440)), "Open until midnight");
    }

    #[test]
    fn a_store_that_never_closes_has_no_next_change() {
        let availability = availability(&WeeklyHours::daily(0, 1440), false, "2026-11-20T03:00:00");
        assert_eq!(
            (availability.summary.as_str(), availability.next_change_at()),
            ("Open 24 hours", None)
        );
    }

    #[test]
    fn a_pause_shows_only_while_the_store_is_open() {
        assert!(matches!(
            availability(&monday_to_friday(), true, "2026-11-20T09:00:00").state,
            OpenState::Paused { closes_at: Some(_) }
        ));
        assert!(matches!(
            availability(&monday_to_friday(), true, "2026-11-20T21:00:00").state,
            OpenState::Closed { opens_at: Some(_) }
        ));
    }

    #[test]
    fn a_store_without_hours_is_closed_until_further_notice() {
        let availability = availability(&WeeklyHours::default(), false, "2026-11-20T09:00:00");
        assert_eq!(
            (availability.state, availability.summary.as_str()),
            (
                OpenState::Closed { opens_at: None },
                "Closed until further notice"
            )
        );
    }
}
