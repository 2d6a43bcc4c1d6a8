//! Slots of five minutes, in which capacity is reserved.

use jiff::Timestamp;

pub(crate) const SLOT_SECONDS: i64 = 300;

/// Returns the start of a slot.
#[must_use]
pub(crate) fn slot_start(slot: i64) -> Timestamp {
    Timestamp::from_second(slot * SLOT_SECONDS).unwrap_or(Timestamp::MAX)
}

/// Returns the slot that contains an instant. Slots are counted from the Unix epoch.
#[must_use]
pub fn slot_at(at: Timestamp) -> i64 {
    at.as_second().div_euclid(SLOT_SECONDS)
}
