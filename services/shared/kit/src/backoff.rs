//! Exponential backoff between retries.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};

/// Delays that double from a minimum to a maximum.
#[derive(Debug, Clone, Copy)]
pub struct Backoff {
    min: Duration,
    max: Duration,
}

impl Backoff {
    /// For connections to the database and the broker.
    pub const RECONNECT: Self = Self::new(Duration::from_millis(200), Duration::from_secs(5));

    #[must_use]
    pub const fn new(min: Duration, max: Duration) -> Self {
        Self { min, max }
    }

    /// Starts a sequence of delays for retries in a loop.
    #[must_use]
    pub fn delays(self) -> Delays {
        let iterator = ExponentialBuilder::default()
            .with_factor(2.0)
            .with_min_delay(self.min)
            .with_max_delay(self.max)
            .without_max_times()
            .build();
        Delays {
            backoff: self,
            iterator,
        }
    }

    /// Returns the delay after a number of failed attempts, for retries with a stored count. The first attempt is 1.
    #[must_use]
    pub fn delay_after(self, attempts: u32) -> Duration {
        // The maximum delay is reached long before this many doublings.
        let doublings = attempts.saturating_sub(1).min(64);
        let mut delays = self.delays();
        (0..doublings).fold(delays.next_delay(), |_, _| delays.next_delay())
    }
}

/// Returns a random time between `min` and twice `min`, so that replicas do not act together.
#[must_use]
pub fn jittered(min: Duration) -> Duration {
    let mut delays = ExponentialBuilder::default()
        .with_min_delay(min)
        .with_max_delay(min)
        .with_jitter()
        .build();
    delays.next().unwrap_or(min)
}

/// An endless sequence of delays.
#[derive(Debug)]
pub struct Delays {
    backoff: Backoff,
    iterator: ExponentialBackoff,
}

impl Delays {
    pub fn next_delay(&mut self) -> Duration {
        self.iterator.next().unwrap_or(self.backoff.max)
    }

    /// Resets to the minimum delay.
    pub fn reset(&mut self) {
        *self = self.backoff.delays();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKOFF: Backoff = Backoff::new(Duration::from_millis(500), Duration::from_secs(3));

    #[test]
    fn delays_double_up_to_the_maximum() {
        let mut delays = BACKOFF.delays();
        let mut next = || delays.next_delay().as_millis();
        assert_eq!(
            [next(), next(), next(), next(), next()],
            [500, 1_000, 2_000, 3_000, 3_000]
        );
        delays.reset();
        assert_eq!(delays.next_delay(), Duration::from_millis(500));
    }

    #[test]
    fn a_jittered_time_is_between_one_and_two_of_the_time() {
        let min = Duration::from_secs(90);
        let times: Vec<_> = (0..20).map(|_| jittered(min)).collect();
        assert!(
            times.iter().all(|time| (min..=2 * min).contains(time)),
            "{times:?}"
        );
        assert!(times.iter().any(|time| *time != times[0]), "{times:?}");
    }

    #[test]
    fn stored_attempts_give_the_same_delays() {
        let delay = |attempts| BACKOFF.delay_after(attempts).as_millis();
        assert_eq!(
            [delay(0), delay(1), delay(2), delay(4), delay(u32::MAX)],
            [500, 500, 1_000, 3_000, 3_000]
        );
    }
}
