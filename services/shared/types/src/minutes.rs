//! Orders are promised for whole minutes.

use jiff::{RoundMode, Timestamp, TimestampRound, Unit};

/// A time that has no next minute stays as it is.
#[must_use]
pub fn round_up_to_minute(at: Timestamp) -> Timestamp {
    let whole_minute = TimestampRound::new().smallest(Unit::Minute).mode(RoundMode::Ceil);
    at.round(whole_minute).unwrap_or(at)
}
