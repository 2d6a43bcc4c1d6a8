//! Whether a store takes orders now, what that changes to and when, in one sentence for the person.

use jiff::{Timestamp, ToSpan, civil::DateTime, tz::TimeZone};

use super::hours::{Span, Week};

/// How far ahead the next opening is looked for.
const LOOK_AHEAD_DAYS: i32 = 9;

/// Whether a store is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Openness {
    /// It takes orders until its closing, if it ever closes.
    Open {
        /// When it closes.
        until: Option<Timestamp>,
    },
    /// It is open, but takes no orders ahead just now.
    Paused {
        /// When it closes.
        until: Option<Timestamp>,
    },
    /// It is closed until its next opening, if one is known.
    Closed {
        /// When it opens.
        until: Option<Timestamp>,
    },
}

/// How a store stands at an instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Whether it is open.
    pub openness: Openness,
    /// "Open until 8:00 PM".
    pub sentence: String,
}

impl Standing {
    /// How a store with these hours stands at `now`.
    #[must_use]
    pub fn at(week: &Week, zone: &TimeZone, paused: bool, now: Timestamp) -> Self {
        let spans = week.spans(zone, now, LOOK_AHEAD_DAYS);
        let local = zone.to_datetime(now);
        if let Some(span) = spans.iter().find(|span| span.holds(now)) {
            let until = closing(*span, now);
            let sentence = match until {
                None => "Open 24 hours".to_owned(),
                Some(end) => format!("Open until {}", moment(local, zone.to_datetime(end))),
            };
            let openness = if paused {
                Openness::Paused { until }
            } else {
                Openness::Open { until }
            };
            return Self { openness, sentence };
        }
        let next = spans.iter().find(|span| span.start > now).map(|span| span.start);
        let sentence = match next {
            None => "Closed until further notice".to_owned(),
            Some(start) => format!("Opens {}", opening_moment(local, zone.to_datetime(start))),
        };
        Self {
            openness: Openness::Closed { until: next },
            sentence,
        }
    }

    /// When the openness changes by itself.
    #[must_use]
    pub const fn changes_at(&self) -> Option<Timestamp> {
        match self.openness {
            Openness::Open { until } | Openness::Paused { until } | Openness::Closed { until } => until,
        }
    }
}

/// Where a span ends; nowhere if it goes on past everything looked at.
fn closing(span: Span, now: Timestamp) -> Option<Timestamp> {
    let horizon = now.checked_add((24 * 7).hours()).unwrap_or(Timestamp::MAX);
    (span.end <= horizon).then_some(span.end)
}

/// "8:00 PM", or with its weekday where that is not obvious: "Monday 8:00 PM".
fn moment(now: DateTime, then: DateTime) -> String {
    let tonight = then.date() == now.date() || (is_tomorrow(now, then) && then.hour() < 12);
    if tonight {
        clock(then)
    } else {
        format!("{} {}", then.strftime("%A"), clock(then))
    }
}

/// "at 6:00 AM", "tomorrow at 6:00 AM", "Monday at 6:00 AM".
fn opening_moment(now: DateTime, then: DateTime) -> String {
    if then.date() == now.date() {
        format!("at {}", clock(then))
    } else if is_tomorrow(now, then) {
        format!("tomorrow at {}", clock(then))
    } else {
        format!("{} at {}", then.strftime("%A"), clock(then))
    }
}

fn is_tomorrow(now: DateTime, then: DateTime) -> bool {
    now.date()
        .tomorrow()
        .is_ok_and(|tomorrow| tomorrow == then.date())
}

fn clock(time: DateTime) -> String {
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

    fn stands(week: &Week, paused: bool, local: &str) -> Standing {
        let zone = TimeZone::get("America/Los_Angeles").unwrap();
        let now = zone.to_timestamp(local.parse().unwrap()).unwrap();
        Standing::at(week, &zone, paused, now)
    }

    fn weekdays() -> Week {
        Week::new((1..=5).map(|day| Opening::new(day, 360, 1200).unwrap()).collect())
    }

    #[test]
    fn says_what_is_on_the_door() {
        // 20 November 2026 is a Friday.
        for (local, sentence) in [
            ("2026-11-20T05:59:59", "Opens at 6:00 AM"),
            ("2026-11-20T06:00:00", "Open until 8:00 PM"),
            ("2026-11-19T20:00:00", "Opens tomorrow at 6:00 AM"),
            ("2026-11-20T20:00:00", "Opens Monday at 6:00 AM"),
        ] {
            assert_eq!(stands(&weekdays(), false, local).sentence, sentence, "{local}");
        }
    }

    #[test]
    fn late_closing_needs_no_weekday() {
        let week = Week::daily(1080, 1560).unwrap();
        assert_eq!(
            stands(&week, false, "2026-11-20T23:00:00").sentence,
            "Open until 2:00 AM"
        );
        assert_eq!(
            stands(&Week::daily(600, 1440).unwrap(), false, "2026-11-20T23:00:00").sentence,
            "Open until midnight"
        );
    }

    #[test]
    fn never_closing_never_changes() {
        let standing = stands(&Week::daily(0, 1440).unwrap(), false, "2026-11-20T03:00:00");
        assert_eq!(
            (standing.sentence.as_str(), standing.changes_at()),
            ("Open 24 hours", None)
        );
    }

    #[test]
    fn pausing_matters_only_while_open() {
        assert!(matches!(
            stands(&weekdays(), true, "2026-11-20T09:00:00").openness,
            Openness::Paused { until: Some(_) }
        ));
        assert!(matches!(
            stands(&weekdays(), true, "2026-11-20T21:00:00").openness,
            Openness::Closed { until: Some(_) }
        ));
    }

    #[test]
    fn without_hours_it_is_closed_for_good() {
        let standing = stands(&Week::default(), false, "2026-11-20T09:00:00");
        assert_eq!(
            (standing.openness, standing.sentence.as_str()),
            (Openness::Closed { until: None }, "Closed until further notice")
        );
    }
}
