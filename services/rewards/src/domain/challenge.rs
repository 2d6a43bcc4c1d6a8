//! Challenges, which award points for several orders.

use std::{fmt, str::FromStr};

use jiff::Timestamp;

/// What a challenge counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeGoal {
    /// Completed orders.
    Orders,
    /// Different stores with a completed order.
    Stores,
    /// Cents spent on completed orders, after discounts and refunds.
    Spend,
}

/// A goal that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown goal {0:?}; expected orders, stores or spend")]
pub struct UnknownGoal(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeState {
    Open,
    /// The reward can be claimed.
    Completed,
    Claimed,
}

/// What a consumer's paid orders in the window of a challenge count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderCounts {
    pub orders: i64,
    pub stores: i64,
    /// Cents.
    pub spend: i64,
}

/// A challenge as imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChallengeRules {
    pub id: String,
    pub title: String,
    pub body: String,
    pub goal: ChallengeGoal,
    /// Number of orders or stores, or cents.
    pub target: i64,
    /// Points that the challenge awards.
    pub points: i64,
    pub starts_at: Timestamp,
    /// Exclusive.
    pub ends_at: Timestamp,
}

/// A challenge and a consumer's progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    pub rules: ChallengeRules,
    pub counts: OrderCounts,
    /// When the consumer claimed the reward; `None` if they did not.
    pub claimed_at: Option<Timestamp>,
}

/// A challenge after its reward was claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedChallenge {
    pub challenge: Challenge,
    /// Points balance after the claim.
    pub balance: i64,
}

impl Challenge {
    /// Returns the progress in the unit of the target, at most the target.
    #[must_use]
    pub fn progress(&self) -> i64 {
        let count = match self.rules.goal {
            ChallengeGoal::Orders => self.counts.orders,
            ChallengeGoal::Stores => self.counts.stores,
            ChallengeGoal::Spend => self.counts.spend,
        };
        count.min(self.rules.target)
    }

    #[must_use]
    pub fn is_completed(&self) -> bool {
        self.progress() == self.rules.target
    }

    #[must_use]
    pub fn state(&self) -> ChallengeState {
        match (self.claimed_at.is_some(), self.is_completed()) {
            (true, _) => ChallengeState::Claimed,
            (false, true) => ChallengeState::Completed,
            (false, false) => ChallengeState::Open,
        }
    }

    /// Returns whether the list of challenges contains it: while it runs, and afterwards until a completed challenge is
    /// claimed.
    #[must_use]
    pub fn is_listed(&self, now: Timestamp) -> bool {
        self.rules.starts_at <= now && (now < self.rules.ends_at || self.state() == ChallengeState::Completed)
    }
}

impl ChallengeGoal {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Orders => "orders",
            Self::Stores => "stores",
            Self::Spend => "spend",
        }
    }
}

impl fmt::Display for ChallengeGoal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl FromStr for ChallengeGoal {
    type Err = UnknownGoal;

    fn from_str(text: &str) -> Result<Self, UnknownGoal> {
        match text {
            "orders" => Ok(Self::Orders),
            "stores" => Ok(Self::Stores),
            "spend" => Ok(Self::Spend),
            other => Err(UnknownGoal(other.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_completed_challenge_stays_listed_until_it_is_claimed() {
        let mut challenge = Challenge {
            rules: ChallengeRules {
                id: "five-orders".into(),
                title: "Five orders".into(),
                body: String::new(),
                goal: ChallengeGoal::Orders,
                target: 5,
                points: 100,
                starts_at: Timestamp::constant(100, 0),
                ends_at: Timestamp::constant(200, 0),
            },
            counts: OrderCounts {
                orders: 4,
                stores: 1,
                spend: 2_500,
            },
            claimed_at: None,
        };
        let is_listed = |challenge: &Challenge, seconds| challenge.is_listed(Timestamp::constant(seconds, 0));
        assert!(!is_listed(&challenge, 99) && is_listed(&challenge, 199) && !is_listed(&challenge, 200));
        challenge.counts.orders = 6;
        assert_eq!(
            (challenge.progress(), challenge.state()),
            (5, ChallengeState::Completed)
        );
        assert!(is_listed(&challenge, 200));
        challenge.claimed_at = Some(challenge.rules.starts_at);
        assert_eq!(challenge.state(), ChallengeState::Claimed);
        assert!(!is_listed(&challenge, 200));
    }
}
