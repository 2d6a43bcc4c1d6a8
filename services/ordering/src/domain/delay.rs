//! Delays: the store promises a later time.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use types::{limits::MAX_DELAY_MINUTES, minutes::round_up_to_minute};

use super::order::Order;

/// A delay as the store sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DelayDraft {
    pub ready: NewReadyTime,
    /// A sentence for the consumer; may be empty.
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewReadyTime {
    At(Timestamp),
    /// Counted from now.
    InMinutes(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DelayError {
    #[error("the new time is not later than the promised time and now")]
    NotLater,
    #[error("the new time is more than {MAX_DELAY_MINUTES} minutes later")]
    TooLate,
    #[error("more than {MAX_DELAY_MINUTES} minutes")]
    TooManyMinutes,
}

/// Returns whether the order was already delayed to this time. Minutes are counted from the repeated request, which is a little
/// later than the first one, so that the time may be in the next minute if the reason is the same.
#[must_use]
pub fn is_repeated(order: &Order, ready: NewReadyTime, reason: &str, now: Timestamp) -> bool {
    let next_minute = order.ready_at + Duration::from_mins(1);
    order.first_ready_at.is_some()
        && match ready {
            NewReadyTime::At(at) => round_up_to_minute(at) == order.ready_at,
            NewReadyTime::InMinutes(minutes) if minutes > MAX_DELAY_MINUTES => false,
            NewReadyTime::InMinutes(minutes) => {
                let at = minutes_from(now, minutes);
                at == order.ready_at || at == next_minute && order.delay_reason == reason
            }
        }
}

fn minutes_from(now: Timestamp, minutes: u32) -> Timestamp {
    round_up_to_minute(now + SignedDuration::from_mins(minutes.into()))
}

/// Returns the new promised time of an order, a whole minute.
pub fn delay(order: &Order, ready: NewReadyTime, now: Timestamp) -> Result<Timestamp, DelayError> {
    let max_delay = Duration::from_mins(MAX_DELAY_MINUTES.into());
    let ready_at = match ready {
        NewReadyTime::At(at) if at > order.ready_at.max(now) + max_delay => return Err(DelayError::TooLate),
        NewReadyTime::At(at) => round_up_to_minute(at),
        NewReadyTime::InMinutes(minutes) if minutes > MAX_DELAY_MINUTES => {
            return Err(DelayError::TooManyMinutes);
        }
        NewReadyTime::InMinutes(minutes) => minutes_from(now, minutes),
    };
    if ready_at <= order.ready_at.max(now) {
        return Err(DelayError::NotLater);
    }
    Ok(ready_at)
}
