//! The rule that reloads JoePass below a threshold.

use jiff::{SignedDuration, Timestamp};
use types::{ConsumerId, Money};

use super::purchase::Tender;

pub const DAY: SignedDuration = SignedDuration::from_hours(24);
pub const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

const KEY_PREFIX: &str = "auto-reload-";

/// Returns the idempotency key of a consumer's reload with this number.
#[must_use]
pub fn reload_key(number: i64) -> String {
    format!("{KEY_PREFIX}{number}")
}

/// Returns whether a client cannot use this key, because a reload may have it.
#[must_use]
pub fn is_reserved_key(key: &str) -> bool {
    key.starts_with(KEY_PREFIX)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutoReload {
    pub consumer_id: ConsumerId,
    pub is_enabled: bool,
    /// JoePass is reloaded when it falls below this amount.
    pub threshold: Money,
    pub amount: Money,
    pub payment_method_id: String,
    pub tender: Tender,
    /// Set by the consumer, or after a reload failed.
    pub paused_until: Option<Timestamp>,
    /// Set when the phone or a payment method changes, so that a hijacked account cannot drain its cards.
    pub frozen_until: Option<Timestamp>,
}

/// The automatic reloads of a consumer, not counting failed ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecentReloads {
    pub last_day: i64,
    pub last_week: i64,
    /// Whether one has not ended yet.
    pub is_one_running: bool,
}

/// Balance and automatic reloads of a consumer, read in one snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReloadState {
    /// Spendable balance.
    pub available: Money,
    /// Number of all automatic reloads, with failed ones.
    pub count: i64,
    pub recent: RecentReloads,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Reload,
    /// Nothing to do now: paused, frozen, running, or the balance suffices.
    Skip,
    /// The maximum of the day or the week is reached.
    LimitReached,
}

impl AutoReload {
    /// Removes the pause if it has ended, so that a client can send the rule back.
    #[must_use]
    pub fn without_ended_pause(self, now: Timestamp) -> Self {
        Self {
            paused_until: self.paused_until.filter(|until| *until > now),
            ..self
        }
    }

    #[must_use]
    pub fn decide(
        &self,
        available: Money,
        recent: RecentReloads,
        max_per_day: i64,
        max_per_week: i64,
        now: Timestamp,
    ) -> Decision {
        let is_blocked = |until: Option<Timestamp>| until.is_some_and(|until| until > now);
        if !self.is_enabled
            || is_blocked(self.paused_until)
            || is_blocked(self.frozen_until)
            || recent.is_one_running
            || available.minor_units() >= self.threshold.minor_units()
        {
            Decision::Skip
        } else if recent.last_day >= max_per_day || recent.last_week >= max_per_week {
            Decision::LimitReached
        } else {
            Decision::Reload
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: RecentReloads = RecentReloads {
        last_day: 0,
        last_week: 0,
        is_one_running: false,
    };

    fn decide(change: impl FnOnce(&mut AutoReload), recent: RecentReloads, available: i64) -> Decision {
        let now = Timestamp::from_second(1_790_000_000).unwrap();
        let mut rule = AutoReload {
            consumer_id: ConsumerId::new(now),
            is_enabled: true,
            threshold: Money::usd(1_000),
            amount: Money::usd(2_500),
            payment_method_id: "pay_1".to_owned(),
            tender: Tender::Card,
            paused_until: None,
            frozen_until: None,
        };
        change(&mut rule);
        rule.decide(Money::usd(available), recent, 2, 5, now)
    }

    #[test]
    fn a_balance_below_the_threshold_is_reloaded() {
        assert_eq!(decide(|_| {}, NONE, 999), Decision::Reload);
        assert_eq!(decide(|_| {}, NONE, 1_000), Decision::Skip);
        assert_eq!(decide(|rule| rule.is_enabled = false, NONE, 0), Decision::Skip);
    }

    #[test]
    fn a_pause_and_a_freeze_end() {
        let at = |seconds: i64| Some(Timestamp::from_second(1_790_000_000 + seconds).unwrap());
        assert_eq!(decide(|rule| rule.paused_until = at(1), NONE, 0), Decision::Skip);
        assert_eq!(decide(|rule| rule.frozen_until = at(1), NONE, 0), Decision::Skip);
        assert_eq!(
            decide(|rule| rule.paused_until = at(0), NONE, 0),
            Decision::Reload
        );
    }

    #[test]
    fn reloads_are_limited_per_day_and_week() {
        let recent = |last_day, last_week, is_one_running| RecentReloads {
            last_day,
            last_week,
            is_one_running,
        };
        assert_eq!(decide(|_| {}, recent(1, 4, false), 0), Decision::Reload);
        assert_eq!(decide(|_| {}, recent(2, 2, false), 0), Decision::LimitReached);
        assert_eq!(decide(|_| {}, recent(0, 5, false), 0), Decision::LimitReached);
        assert_eq!(decide(|_| {}, recent(1, 1, true), 0), Decision::Skip);
    }
}
