//! A hold's life: `held -> captured | released`, `captured -> refunded`, or closed before anything was held.
//! Facts about its order come more than once and in any order; the end is the same.

use types::{BalanceId, Money};

/// What is at stake: so much of a balance, for an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stake {
    /// Where it comes from.
    pub balance: BalanceId,
    /// How much; nothing for an order that costs nothing.
    pub amount: Money,
    /// What it is for, as the consumer reads it.
    pub title: String,
}

/// What an order holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hold {
    /// Taken from the balance; no store has accepted the order yet.
    Held(Stake),
    /// The store accepted: it is ours.
    Captured(Stake),
    /// Given back before it was captured.
    Released(Stake),
    /// Given back after it was captured.
    Refunded(Stake),
    /// Never held, and never to be.
    Closed,
}

/// What has to move on the ledger for a change of state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movement {
    /// From the account in flight to sales.
    Capture,
    /// From the account in flight to the balance.
    Release,
    /// From sales to the balance.
    Refund,
}

/// There is nothing to capture any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("what the order held was given back")]
pub struct GivenBack;

impl Hold {
    /// The store accepted the order.
    ///
    /// # Errors
    /// [`GivenBack`] where the order ended meanwhile: its end may be heard of before its acceptance.
    pub fn capture(self) -> Result<(Self, Option<Movement>), GivenBack> {
        match self {
            Self::Held(stake) => Ok((Self::Captured(stake), Some(Movement::Capture))),
            Self::Captured(_) => Ok((self, None)),
            Self::Released(_) | Self::Refunded(_) | Self::Closed => Err(GivenBack),
        }
    }

    /// The order will not be made: gives back what it holds.
    #[must_use]
    pub fn give_back(self) -> (Self, Option<Movement>) {
        match self {
            Self::Held(stake) => (Self::Released(stake), Some(Movement::Release)),
            Self::Captured(stake) => (Self::Refunded(stake), Some(Movement::Refund)),
            Self::Released(_) | Self::Refunded(_) | Self::Closed => (self, None),
        }
    }

    /// What is at stake; nothing where it was closed before.
    #[must_use]
    pub const fn stake(&self) -> Option<&Stake> {
        match self {
            Self::Held(stake) | Self::Captured(stake) | Self::Released(stake) | Self::Refunded(stake) => {
                Some(stake)
            }
            Self::Closed => None,
        }
    }

    /// The word that Postgres keeps for its state.
    #[must_use]
    pub const fn state(&self) -> &'static str {
        match self {
            Self::Held(_) => "held",
            Self::Captured(_) => "captured",
            Self::Released(_) => "released",
            Self::Refunded(_) => "refunded",
            Self::Closed => "closed",
        }
    }

    /// The hold that Postgres kept; `None` where state and stake do not go together.
    #[must_use]
    pub fn from_state(state: &str, stake: Option<Stake>) -> Option<Self> {
        match (state, stake) {
            ("held", Some(stake)) => Some(Self::Held(stake)),
            ("captured", Some(stake)) => Some(Self::Captured(stake)),
            ("released", Some(stake)) => Some(Self::Released(stake)),
            ("refunded", Some(stake)) => Some(Self::Refunded(stake)),
            ("closed", None) => Some(Self::Closed),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn held() -> Hold {
        Hold::Held(Stake {
            balance: BalanceId::from_uuid(uuid::Uuid::nil()),
            amount: Money::usd(530),
            title: "Order".into(),
        })
    }

    #[test]
    fn an_order_that_was_given_back_is_not_captured() {
        let (released, movement) = held().give_back();
        assert_eq!(movement, Some(Movement::Release));
        assert_eq!(released.capture(), Err(GivenBack));
        assert_eq!(Hold::Closed.capture(), Err(GivenBack));
    }

    #[test]
    fn a_state_without_its_stake_is_no_hold() {
        assert_eq!(Hold::from_state("held", None), None);
        assert_eq!(Hold::from_state("closed", held().stake().cloned()), None);
        assert_eq!(Hold::from_state("lost", held().stake().cloned()), None);
    }

    proptest! {
        /// Whatever comes how often and in whichever order: once the end was heard of, the consumer has everything back,
        /// and nothing moved twice.
        #[test]
        fn any_order_of_facts_ends_alike(captures in prop::collection::vec(any::<bool>(), 0..8)) {
            let (mut hold, mut moved) = (held(), Vec::new());
            for capture in captures.iter().copied().chain([false]) {
                let (next, movement) = if capture {
                    hold.clone().capture().unwrap_or((hold, None))
                } else {
                    hold.give_back()
                };
                hold = next;
                moved.extend(movement);
                prop_assert_eq!(Hold::from_state(hold.state(), hold.stake().cloned()), Some(hold.clone()));
            }
            prop_assert!(matches!(
                moved.as_slice(),
                [Movement::Release] | [Movement::Capture, Movement::Refund]
            ));
        }
    }
}
