//! Computes whether a store accepts orders now, when that changes next, and a summary for the consumer.

use jiff::{Timestamp, ToSpan, civil::DateTime, tz::TimeZone};

use super::{
    local_time::format_time,
    opening_hours::{OpenPeriod, OpeningHours},
    pause::Pause,
};

/// Number of days in which the next opening is searched.
const LOOKAHEAD_DAYS: i32 = 9;
/// The same for a store with special days, which may be closed for weeks.
const HOLIDAY_LOOKAHEAD_DAYS: i32 = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenState {
    /// `closes_at` is empty if the store never closes.
    Open { closes_at: Option<Timestamp> },
    /// Open, but not accepting orders at the moment.
    /// `changes_at` is the end of the pause or the closing time, whichever is first.
    Paused { changes_at: Option<Timestamp> },
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
    pub(crate) fn at(hours: &OpeningHours, zone: &TimeZone, pause: Option<Pause>, now: Timestamp) -> Self {
        let mut periods = hours.open_periods(zone, now, LOOKAHEAD_DAYS);
        if !hours.special_days.is_empty() && periods.iter().all(|period| period.end <= now) {
            periods = hours.open_periods(zone, now, HOLIDAY_LOOKAHEAD_DAYS);
        }
        let local_now = zone.to_datetime(now);
        if let Some(period) = periods.iter().find(|period| period.contains(now)) {
            let closes_at = closing_time(*period, now);
            let summary = match closes_at {
                None => "Open 24 hours".to_owned(),
                Some(at) => format!("Open until {}", format_closing(local_now, zone.to_datetime(at))),
            };
            let state = match pause.filter(|pause| pause.is_active(now)) {
                Some(pause) => OpenState::Paused {
                    changes_at: pause.until.into_iter().chain(closes_at).min(),
                },
                None => OpenState::Open { closes_at },
            };
            return Self { state, summary };
        }
        let opens_at = periods
            .iter()
            .find(|period| period.start > now)
            .map(|period| period.start);
        let opening = opens_at.map(|at| format_opening(local_now, zone.to_datetime(at)));
        let holiday = hours
            .special_days
            .get(&local_now.date())
            .filter(|day| day.openings.is_empty() && !day.name.is_empty());
        let summary = match (holiday, opening) {
            (Some(holiday), Some(opening)) => format!("Closed for {}, opens {opening}", holiday.name),
            (None, Some(opening)) => format!("Opens {opening}"),
            (_, None) if !hours.has_openings() => "No opening hours listed".to_owned(),
            (_, None) => "Closed until further notice".to_owned(),
        };
        Self {
            state: OpenState::Closed { opens_at },
            summary,
        }
    }

    /// Returns when opening hours or the end of a pause change the state next.
    #[must_use]
    pub(crate) const fn next_change_at(&self) -> Option<Timestamp> {
        match self.state {
            OpenState::Open { closes_at: at }
            | OpenState::Paused { changes_at: at }
            | OpenState::Closed { opens_at: at } => at,
        }
    }
}

/// Returns the end of a period, or `None` if it lasts longer than a week: such a store never closes.
fn closing_time(period: OpenPeriod, now: Timestamp) -> Option<Timestamp> {
    let horizon = now.checked_add((24 * 7).hours()).unwrap_or(Timestamp::MAX);
    (period.end <= horizon).then_some(period.end)
}

/// Formats "8:00 PM", or "Monday 8:00 PM" if the store closes later than the coming night.
fn format_closing(now: DateTime, closes: DateTime) -> String {
    let is_today_or_tonight = closes.date() == now.date() || (is_tomorrow(now, closes) && closes.hour() < 12);
    if is_today_or_tonight {
        format_time(closes)
    } else {
        format!("{} {}", closes.strftime("%A"), format_time(closes))
    }
}

/// Formats "at 6:00 AM", "tomorrow at 6:00 AM", "Monday at 6:00 AM" or "December 1 at 6:00 AM".
fn format_opening(now: DateTime, opens: DateTime) -> String {
    if opens.date() == now.date() {
        format!("at {}", format_time(opens))
    } else if is_tomorrow(now, opens) {
        format!("tomorrow at {}", format_time(opens))
    } else if opens.date().duration_since(now.date()).as_hours() >= 7 * 24 {
        format!("{} at {}", opens.strftime("%B %-d"), format_time(opens))
    } else {
        format!("{} at {}", opens.strftime("%A"), format_time(opens))
    }
}

fn is_tomorrow(now: DateTime, other: DateTime) -> bool {
    now.date()
        .tomorrow()
        .is_ok_and(|tomorrow| tomorrow == other.date())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        hours::{Opening, WeeklyHours},
        opening_hours::SpecialDay,
        pause::PauseReason,
    };

    fn availability(hours: &OpeningHours, pause: Option<Pause>, local_time: &str) -> StoreAvailability {
        let zone = TimeZone::get("America/Los_Angeles").unwrap();
        let now = zone.to_timestamp(local_time.parse().unwrap()).unwrap();
        StoreAvailability::at(hours, &zone, pause, now)
    }

    fn monday_to_friday() -> OpeningHours {
        let openings = (1..=5).map(|day| Opening::new(day, 360, 1200).unwrap());
        WeeklyHours::new(openings.collect()).into()
    }

    fn daily(opens_minute: u16, closes_minute: u16) -> OpeningHours {
        WeeklyHours::daily(opens_minute, closes_minute).into()
    }

    fn pause(until: Option<&str>) -> Pause {
        Pause {
            reason: PauseReason::Busy,
            until: until.map(|until| until.parse().unwrap()),
        }
    }

    fn closed_on(mut hours: OpeningHours, days: &[&str]) -> OpeningHours {
        for day in days {
            let day = day.parse().unwrap();
            let special_day = SpecialDay::new(day, "Thanksgiving".into(), &[]).unwrap();
            hours.special_days.insert(day, special_day);
        }
        hours
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
                availability(&monday_to_friday(), None, local_time).summary,
                summary,
                "{local_time}"
            );
        }
    }

    #[test]
    fn closing_in_the_coming_night_needs_no_weekday() {
        let summary = |hours| availability(&hours, None, "2026-11-20T23:00:00").summary;
        assert_eq!(summary(daily(1080, 1560)), "Open until 2:00 AM");
        assert_eq!(summary(daily(600, 1440)), "Open until midnight");
    }

    #[test]
    fn a_store_that_never_closes_has_no_next_change() {
        let availability = availability(&daily(0, 1440), None, "2026-11-20T03:00:00");
        assert_eq!(
            (availability.summary.as_str(), availability.next_change_at()),
            ("Open 24 hours", None)
        );
    }

    #[test]
    fn a_pause_shows_only_while_the_store_is_open_and_until_its_end() {
        let state =
            |until, local_time| availability(&monday_to_friday(), Some(pause(until)), local_time).state;
        let at = |text: &str| Some(text.parse().unwrap());
        let half_past_nine = "2026-11-20T17:30:00Z";
        for (until, local_time, expected) in [
            (
                None,
                "2026-11-20T09:00:00",
                OpenState::Paused {
                    changes_at: at("2026-11-21T04:00:00Z"),
                },
            ),
            (
                Some(half_past_nine),
                "2026-11-20T09:00:00",
                OpenState::Paused {
                    changes_at: at(half_past_nine),
                },
            ),
            (
                Some(half_past_nine),
                "2026-11-20T09:30:00",
                OpenState::Open {
                    closes_at: at("2026-11-21T04:00:00Z"),
                },
            ),
            (
                None,
                "2026-11-20T21:00:00",
                OpenState::Closed {
                    opens_at: at("2026-11-23T14:00:00Z"),
                },
            ),
        ] {
            assert_eq!(state(until, local_time), expected, "{until:?} {local_time}");
        }
    }

    #[test]
    fn a_holiday_is_named_on_its_day_only() {
        let hours = closed_on(daily(360, 1200), &["2026-11-26"]);
        for (local_time, summary) in [
            ("2026-11-25T21:00:00", "Opens Friday at 6:00 AM"),
            (
                "2026-11-26T09:00:00",
                "Closed for Thanksgiving, opens tomorrow at 6:00 AM",
            ),
            ("2026-11-27T05:00:00", "Opens at 6:00 AM"),
        ] {
            assert_eq!(
                availability(&hours, None, local_time).summary,
                summary,
                "{local_time}"
            );
        }
    }

    #[test]
    fn a_store_that_is_closed_for_weeks_shows_the_date_of_its_opening() {
        let days: Vec<String> = (1..=14).map(|day| format!("2026-11-{day:02}")).collect();
        let days: Vec<&str> = days.iter().map(String::as_str).collect();
        let hours = closed_on(daily(360, 1200), &days);
        let summary = |local_time| availability(&hours, None, local_time).summary;
        assert_eq!(
            summary("2026-11-01T09:00:00"),
            "Closed for Thanksgiving, opens November 15 at 6:00 AM"
        );
        assert_eq!(
            summary("2026-11-09T09:00:00"),
            "Closed for Thanksgiving, opens Sunday at 6:00 AM"
        );
    }

    #[test]
    fn a_store_without_hours_takes_no_orders_and_names_no_time() {
        let availability = availability(&OpeningHours::default(), None, "2026-11-20T09:00:00");
        assert_eq!(
            (availability.state, availability.summary.as_str()),
            (OpenState::Closed { opens_at: None }, "No opening hours listed")
        );
    }

    #[test]
    fn a_store_whose_days_are_all_holidays_is_closed_until_further_notice() {
        let sunday_only = WeeklyHours::new(vec![Opening::new(7, 360, 1200).unwrap()]);
        let sundays: Vec<String> = (0..10)
            .map(|week| jiff::civil::date(2026, 11, 22) + (7 * week).days())
            .map(|day| day.to_string())
            .collect();
        let days: Vec<&str> = sundays.iter().map(String::as_str).collect();
        let hours = closed_on(sunday_only.into(), &days);
        assert_eq!(
            availability(&hours, None, "2026-11-20T09:00:00").summary,
            "Closed until further notice"
        );
    }
}
