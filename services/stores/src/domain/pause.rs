//! Pauses of a store: open, but without new orders for as soon as possible.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::local_time::format_time;

/// The longest pause with an end.
const MAX_PAUSE: SignedDuration = SignedDuration::from_hours(24);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PauseReason {
    /// More orders than the baristas can make.
    Busy,
    /// A machine is out of order.
    Equipment,
    Staffing,
    Supplies,
    Other,
}

impl PauseReason {
    const ALL: [Self; 5] = [
        Self::Busy,
        Self::Equipment,
        Self::Staffing,
        Self::Supplies,
        Self::Other,
    ];

    /// Returns the name of the variant in the database.
    #[must_use]
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::Equipment => "equipment",
            Self::Staffing => "staffing",
            Self::Supplies => "supplies",
            Self::Other => "other",
        }
    }

    #[must_use]
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::Busy => "We're catching up on orders.",
            Self::Equipment => "We're fixing a machine.",
            Self::Staffing => "We're short on baristas right now.",
            Self::Supplies => "We're restocking.",
            Self::Other => "We're taking a short break.",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    pub reason: PauseReason,
    /// When the store accepts orders again; `None` if the staff end the pause.
    pub until: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a pause ends within a day from now")]
pub struct InvalidPause;

impl Pause {
    /// # Errors
    /// [`InvalidPause`] if the end is not in the next 24 hours.
    pub(crate) fn starting_at(self, now: Timestamp) -> Result<Self, InvalidPause> {
        match self.until {
            Some(until) if until <= now || until > now + MAX_PAUSE => Err(InvalidPause),
            _ => Ok(self),
        }
    }

    #[must_use]
    pub(crate) fn is_active(self, now: Timestamp) -> bool {
        self.until.is_none_or(|until| now < until)
    }

    /// Returns a sentence for the consumer: "We're catching up on orders. Ordering is back at 3:30 PM."
    #[must_use]
    pub(crate) fn message(self, zone: &TimeZone) -> String {
        let reason = self.reason.sentence();
        match self.until {
            Some(until) => format!(
                "{reason} Ordering is back at {}.",
                format_time(zone.to_datetime(until))
            ),
            None => format!("{reason} Please check back soon."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-11-20T17:00:00Z";

    fn pause(until: Option<&str>) -> Pause {
        Pause {
            reason: PauseReason::Busy,
            until: until.map(|until| until.parse().unwrap()),
        }
    }

    #[test]
    fn a_pause_ends_by_itself_at_its_end() {
        let until = "2026-11-20T17:30:00Z";
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        assert!(pause(Some(until)).is_active(at("2026-11-20T17:29:59Z")));
        assert!(!pause(Some(until)).is_active(at(until)));
        assert!(pause(None).is_active(at("2027-11-20T17:30:00Z")));
    }

    #[test]
    fn the_end_is_within_a_day_from_now() {
        let now = NOW.parse().unwrap();
        for (until, is_valid) in [
            (None, true),
            (Some(NOW), false),
            (Some("2026-11-20T17:00:01Z"), true),
            (Some("2026-11-21T17:00:00Z"), true),
            (Some("2026-11-21T17:00:01Z"), false),
        ] {
            assert_eq!(pause(until).starting_at(now).is_ok(), is_valid, "{until:?}");
        }
    }

    #[test]
    fn the_message_names_the_end_in_local_time() {
        let zone = TimeZone::get("America/Los_Angeles").unwrap();
        assert_eq!(
            pause(Some("2026-11-20T23:30:00Z")).message(&zone),
            "We're catching up on orders. Ordering is back at 3:30 PM."
        );
        assert_eq!(
            pause(None).message(&zone),
            "We're catching up on orders. Please check back soon."
        );
    }

    #[test]
    fn reasons_have_distinct_codes() {
        for reason in PauseReason::ALL {
            assert_eq!(PauseReason::from_code(reason.code()), Some(reason));
        }
        assert_eq!(PauseReason::from_code("lunch"), None);
    }
}
