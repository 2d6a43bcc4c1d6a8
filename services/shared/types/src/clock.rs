//! The clock is an argument, so that rules about time can be tested without waiting.

use std::sync::Mutex;

use jiff::{SignedDuration, Timestamp};

/// Says what time it is.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The instant now, UTC.
    fn now(&self) -> Timestamp;
}

/// The machine's clock, to the microsecond that Postgres keeps: an instant written and read back is the same.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that asks the machine for the time"
    )]
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }
}

/// A clock that tests set and move.
#[derive(Debug)]
pub struct ManualClock(Mutex<Timestamp>);

impl ManualClock {
    /// A clock that stands at `at`.
    #[must_use]
    pub const fn at(at: Timestamp) -> Self {
        Self(Mutex::new(at))
    }

    /// Moves it forward.
    pub fn advance(&self, by: SignedDuration) {
        let mut now = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *now += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
