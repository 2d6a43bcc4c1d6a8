//! How fast the barista works.

use std::time::Duration;

use clap::Args;

/// Seconds from one step to the next. As set, an order is made within a minute, slowly enough to be watched.
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
    /// Turns down every so manieth order; 0 for none.
    #[arg(long, env = "BARISTA_REJECT_EVERY", default_value_t = 0)]
    reject_every: u64,
}

impl Pace {
    /// How long an order stays in a state; none where the barista has nothing to do.
    #[must_use]
    pub fn before_leaving(&self, status: &str) -> Option<Duration> {
        let seconds = match status {
            "Placed" => self.accept_seconds,
            "Accepted" => self.start_seconds,
            "Preparing" => self.make_seconds,
            "Ready" => self.pickup_seconds,
            _ => return None,
        };
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// Whether the order that is the `count`th seen is turned down.
    #[must_use]
    pub const fn rejects(&self, count: u64) -> bool {
        self.reject_every > 0 && count.is_multiple_of(self.reject_every)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_third_is_rejected_when_so_asked() {
        let pace = |every| Pace {
            accept_seconds: 0.0,
            start_seconds: 0.0,
            make_seconds: 0.0,
            pickup_seconds: 0.0,
            reject_every: every,
        };
        assert_eq!((1..=6).filter(|&count| pace(3).rejects(count)).count(), 2);
        assert!(!(1..=6).any(|count| pace(0).rejects(count)));
    }
}
