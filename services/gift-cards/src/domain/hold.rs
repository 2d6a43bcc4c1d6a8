//! An order's hold on stored value: `held -> captured | released`, `captured -> refunded`, or closed before any amount
//! was held. Events about the order can arrive repeatedly and in any order; the final state is the same.

use jiff::Timestamp;
use types::{BalanceId, CompanyId, ConsumerId, Money, OrderId, StoreId, text_enum};

/// The command to hold an amount for an order.
#[derive(Debug, Clone)]
pub struct HoldValue {
    pub order_id: OrderId,
    pub consumer_id: ConsumerId,
    /// `None` for JoePass.
    pub balance_id: Option<BalanceId>,
    pub amount: Money,
    /// Text for the consumer: "Order at Sunset & Maltman".
    pub title: String,
    pub store_id: Option<StoreId>,
    /// The company of the store, if the caller knows it.
    pub company_id: Option<CompanyId>,
}

/// The command to return a part of a captured hold.
#[derive(Debug, Clone)]
pub struct RefundHold {
    pub order_id: OrderId,
    /// Unique for the order.
    pub refund_id: String,
    pub amount: Money,
}

/// Why an amount cannot be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HoldError {
    /// The balance does not exist, or belongs to another consumer.
    #[error("balance unknown")]
    BalanceUnknown,
    #[error("insufficient balance: {available} available")]
    InsufficientBalance { available: Money },
    /// The company card belongs to another company than the store.
    #[error("company card is not valid at this store")]
    CardNotValidHere,
    #[error("company card is inactive")]
    CardInactive,
    /// The hold was released, or closed before it was created.
    #[error("hold closed")]
    Closed,
    /// The order already holds a different amount, or an amount of another balance.
    #[error("order has a different hold")]
    Mismatch,
    #[error("amount is negative")]
    NegativeAmount,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldAmount {
    pub balance_id: BalanceId,
    /// 0 for an order that costs nothing.
    pub amount: Money,
    /// Text for the consumer: "Order at Sunset & Maltman".
    pub title: String,
    pub store_id: Option<StoreId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hold {
    /// Taken from the balance. No store has accepted the order yet.
    Held(HeldAmount),
    /// A store accepted the order.
    Captured(HeldAmount),
    /// Returned to the balance before the capture.
    Released(HeldAmount),
    /// Returned to the balance after the capture, as far as no part was returned before.
    Refunded(HeldAmount),
    /// Tombstone: the order ended before an amount was held, and cannot hold one later.
    Closed,
}

text_enum! {
    pub enum HoldState {
        Held = "held",
        Captured = "captured",
        Released = "released",
        Refunded = "refunded",
        Closed = "closed",
    }
}

/// An order's hold and the balance after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldSnapshot {
    pub order_id: OrderId,
    pub hold: Hold,
    /// The balance that the consumer can still spend; 0 for a tombstone.
    pub available: Money,
}

/// Maximum number of holds in a response.
pub const MAX_LISTED_HOLDS: usize = 500;

/// A request for a page of holds, in the order of the orders' ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListHolds {
    /// `None` for all.
    pub order_ids: Option<Vec<OrderId>>,
    pub changed_since: Option<Timestamp>,
    /// The last order of the previous page.
    pub after: Option<OrderId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedHold {
    pub order_id: OrderId,
    pub state: HoldState,
    /// `None` for a tombstone.
    pub amount: Option<Money>,
}

/// A movement of a held amount between ledger accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movement {
    /// From the balance to the in-flight account.
    Hold,
    /// From the in-flight account to sales.
    Capture,
    /// From the in-flight account to the balance.
    Release,
    /// From sales to the balance.
    Refund,
}

/// The order ended before the capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("hold was released before the capture")]
pub struct NotCapturable;

impl Hold {
    /// Returns the hold after the store accepted the order, and the movement to post.
    ///
    /// # Errors
    /// [`NotCapturable`] if the hold was released: the order's end can arrive before its acceptance.
    pub fn capture(self) -> Result<(Self, Option<Movement>), NotCapturable> {
        match self {
            Self::Held(held) => Ok((Self::Captured(held), Some(Movement::Capture))),
            Self::Captured(_) => Ok((self, None)),
            Self::Released(_) | Self::Refunded(_) | Self::Closed => Err(NotCapturable),
        }
    }

    /// Returns the hold after the order ended without being made, and the movement to post.
    #[must_use]
    pub fn release(self) -> (Self, Option<Movement>) {
        match self {
            Self::Held(held) => (Self::Released(held), Some(Movement::Release)),
            Self::Captured(held) => (Self::Refunded(held), Some(Movement::Refund)),
            Self::Released(_) | Self::Refunded(_) | Self::Closed => (self, None),
        }
    }

    /// Returns the amount, or `None` for a tombstone.
    #[must_use]
    pub const fn held_amount(&self) -> Option<&HeldAmount> {
        match self {
            Self::Held(held) | Self::Captured(held) | Self::Released(held) | Self::Refunded(held) => {
                Some(held)
            }
            Self::Closed => None,
        }
    }

    #[must_use]
    pub const fn state(&self) -> HoldState {
        match self {
            Self::Held(_) => HoldState::Held,
            Self::Captured(_) => HoldState::Captured,
            Self::Released(_) => HoldState::Released,
            Self::Refunded(_) => HoldState::Refunded,
            Self::Closed => HoldState::Closed,
        }
    }

    /// Returns `None` if a tombstone has an amount or another state has none.
    #[must_use]
    pub fn from_parts(state: HoldState, held: Option<HeldAmount>) -> Option<Self> {
        match (state, held) {
            (HoldState::Held, Some(held)) => Some(Self::Held(held)),
            (HoldState::Captured, Some(held)) => Some(Self::Captured(held)),
            (HoldState::Released, Some(held)) => Some(Self::Released(held)),
            (HoldState::Refunded, Some(held)) => Some(Self::Refunded(held)),
            (HoldState::Closed, None) => Some(Self::Closed),
            _ => None,
        }
    }
}

impl Movement {
    /// Returns the title of the transaction.
    #[must_use]
    pub fn title(self, held: &HeldAmount) -> String {
        match self {
            Self::Hold | Self::Capture => held.title.clone(),
            Self::Release => format!("Released: {}", held.title),
            Self::Refund => format!("Refunded: {}", held.title),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn held() -> Hold {
        Hold::Held(HeldAmount {
            balance_id: BalanceId::from_uuid(uuid::Uuid::nil()),
            amount: Money::usd(530),
            title: "Order".into(),
            store_id: None,
        })
    }

    #[test]
    fn a_released_hold_cannot_be_captured() {
        let (released, movement) = held().release();
        assert_eq!(movement, Some(Movement::Release));
        assert_eq!(released.capture(), Err(NotCapturable));
        assert_eq!(Hold::Closed.capture(), Err(NotCapturable));
    }

    #[test]
    fn only_a_tombstone_has_no_amount() {
        let amount = held().held_amount().cloned();
        assert_eq!(Hold::from_parts(HoldState::Held, None), None);
        assert_eq!(Hold::from_parts(HoldState::Closed, amount), None);
    }

    #[test]
    fn an_unknown_state_is_an_error() {
        for state in HoldState::ALL {
            assert_eq!(state.as_str().parse(), Ok(*state));
        }
        assert!("lost".parse::<HoldState>().is_err());
    }

    proptest! {
        #[test]
        fn repeated_events_in_any_order_return_the_amount_exactly_once(captures in prop::collection::vec(any::<bool>(), 0..8)) {
            let (mut hold, mut movements) = (held(), Vec::new());
            for capture in captures.iter().copied().chain([false]) {
                let (next, movement) = if capture {
                    hold.clone().capture().unwrap_or((hold, None))
                } else {
                    hold.release()
                };
                hold = next;
                movements.extend(movement);
                prop_assert_eq!(Hold::from_parts(hold.state(), hold.held_amount().cloned()), Some(hold.clone()));
            }
            prop_assert!(matches!(
                movements.as_slice(),
                [Movement::Release] | [Movement::Capture, Movement::Refund]
            ));
        }
    }
}
