//! Orders are promised for whole minutes.

use jiff::{RoundMode, Timestamp, TimestampRound, Unit};

/// Rounds up to a whole minute. A time that has no next minute stays as it is.
#[must_use]
pub fn round_up_to_minute(at: Timestamp) -> Timestamp {
    let whole_minute = TimestampRound::new().smallest(Unit::Minute).mode(RoundMode::Ceil);
    at.round(whole_minute).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_within_a_minute_is_rounded_up() {
        for (at, expected) in [
            ("2026-11-20T16:40:00Z", "2026-11-20T16:40:00Z"),
            ("2026-11-20T16:40:00.000000001Z", "2026-11-20T16:41:00Z"),
            ("2026-11-20T23:59:30Z", "2026-11-21T00:00:00Z"),
        ] {
            let rounded = round_up_to_minute(at.parse().unwrap());
            assert_eq!(rounded, expected.parse().unwrap(), "{at}");
        }
        assert_eq!(round_up_to_minute(Timestamp::MAX), Timestamp::MAX);
    }
}
