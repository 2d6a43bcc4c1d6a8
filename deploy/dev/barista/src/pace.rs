//! How fast the barista works.

use std::time::Duration;

use clap::Args;

use crate::store_api::Status;

/// Seconds between the steps of an order. By default an order takes about a minute, slow enough to watch.
#[derive(Debug, Clone, Args)]
pub struct Pace {
    /// From placed to accepted.
    #[arg(long, env = "BARISTA_ACCEPT_SECONDS", default_value_t = 3.0)]
    accept_seconds: f64,
    /// From accepted to started.
    #[arg(long, env = "BARISTA_START_SECONDS", default_value_t = 5.0)]
    start_seconds: f64,
    /// From started to ready.
    #[arg(long, env = "BARISTA_MAKE_SECONDS", default_value_t = 20.0)]
    make_seconds: f64,
    /// From ready to picked up.
    #[arg(long, env = "BARISTA_PICKUP_SECONDS", default_value_t = 25.0)]
    pickup_seconds: f64,
    /// Rejects every nth order. 0 rejects none.
    #[arg(long, env = "BARISTA_REJECT_EVERY", default_value_t = 0)]
    reject_every: u64,
}

impl Pace {
    /// Returns how long an order stays in a status, or `None` if the setting is no duration.
    pub fn time_in_status(&self, status: Status) -> Option<Duration> {
        let seconds = match status {
            Status::Placed => self.accept_seconds,
            Status::Accepted => self.start_seconds,
            Status::Preparing => self.make_seconds,
            Status::Ready => self.pickup_seconds,
        };
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// Returns whether the barista rejects the order with this number.
    pub const fn rejects(&self, order_number: u64) -> bool {
        self.reject_every > 0 && order_number.is_multiple_of(self.reject_every)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nth_order_is_rejected_and_none_by_default() {
        let pace = |reject_every| Pace {
            accept_seconds: 0.0,
            start_seconds: 0.0,
            make_seconds: 0.0,
            pickup_seconds: 0.0,
            reject_every,
        };
        assert_eq!((1..=6).filter(|&number| pace(3).rejects(number)).count(), 2);
        assert!(!(1..=6).any(|number| pace(0).rejects(number)));
    }
}
