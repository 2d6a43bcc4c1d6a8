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

/// Returns the new promised time of an order, a whole minute.
pub fn delay(order: &Order, ready: NewReadyTime, now: Timestamp) -> Result<Timestamp, DelayError> {
    let max_delay = Duration::from_mins(MAX_DELAY_MINUTES.into());
    let ready_at = match ready {
        NewReadyTime::At(at) if at > order.ready_at.max(now) + max_delay => return Err(DelayError::TooLate),
        NewReadyTime::At(at) => round_up_to_minute(at),
        NewReadyTime::InMinutes(minutes) if minutes > MAX_DELAY_MINUTES => {
            return Err(DelayError::TooManyMinutes);
        }
        NewReadyTime::InMinutes(minutes) => {
            round_up_to_minute(now + SignedDuration::from_mins(minutes.into()))
        }
    };
    if ready_at <= order.ready_at.max(now) {
        return Err(DelayError::NotLater);
    }
    Ok(ready_at)
}
