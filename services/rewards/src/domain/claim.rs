//! An order's claim on a promo code: `claimed -> released`, or closed before anything was claimed.

use std::{fmt, str::FromStr};

use types::{ConsumerId, Money, OrderId};

use super::promo::OrderPlace;

/// The command to claim a promo code for an order.
#[derive(Debug, Clone)]
pub struct ClaimDiscount {
    pub order_id: OrderId,
    pub consumer_id: ConsumerId,
    /// As typed by the consumer.
    pub code: String,
    pub subtotal: Money,
    pub place: OrderPlace,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedDiscount {
    pub code: String,
    /// `None` if the consumer was removed.
    pub consumer_id: Option<ConsumerId>,
    /// The order's subtotal at the time of the claim.
    pub subtotal: Money,
    /// The discount.
    pub amount: Money,
    /// Points that the claim cost.
    pub points: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    Claimed(ClaimedDiscount),
    /// The code can be used again.
    Released(ClaimedDiscount),
    /// Tombstone: the order ended before it claimed a code, and cannot claim one later.
    Closed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimState {
    Claimed,
    Released,
    Closed,
}

impl Claim {
    /// Returns `None` if a tombstone has a discount or another state has none.
    #[must_use]
    pub fn from_parts(state: ClaimState, discount: Option<ClaimedDiscount>) -> Option<Self> {
        match (state, discount) {
            (ClaimState::Claimed, Some(discount)) => Some(Self::Claimed(discount)),
            (ClaimState::Released, Some(discount)) => Some(Self::Released(discount)),
            (ClaimState::Closed, None) => Some(Self::Closed),
            _ => None,
        }
    }
}

impl ClaimState {
    /// Returns the value of the `state` column.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Released => "released",
            Self::Closed => "closed",
        }
    }
}

impl fmt::Display for ClaimState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown claim state {0:?}")]
pub struct UnknownClaimState(String);

impl FromStr for ClaimState {
    type Err = UnknownClaimState;

    fn from_str(text: &str) -> Result<Self, UnknownClaimState> {
        [Self::Claimed, Self::Released, Self::Closed]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| UnknownClaimState(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_state_is_an_error() {
        assert_eq!("released".parse(), Ok(ClaimState::Released));
        assert!("lost".parse::<ClaimState>().is_err());
    }

    #[test]
    fn only_a_tombstone_has_no_discount() {
        let discount = ClaimedDiscount {
            code: "FRESH10".into(),
            consumer_id: None,
            subtotal: Money::usd(640),
            amount: Money::usd(64),
            points: None,
        };
        assert_eq!(Claim::from_parts(ClaimState::Claimed, None), None);
        assert_eq!(Claim::from_parts(ClaimState::Closed, Some(discount)), None);
    }
}
