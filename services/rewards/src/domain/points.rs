//! Points that orders earn, and the rewards they can be exchanged for.

use jiff::Timestamp;
use types::{EntryId, Money, OrderId, points::points_for};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointsSummary {
    /// Negative if points were revoked after they were spent.
    pub balance: i64,
    /// Cheapest first.
    pub tiers: Vec<RewardTier>,
    /// Points that an order earns per whole major unit of currency.
    pub points_per_unit: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewardTier {
    pub points: i64,
    pub title: String,
    /// The code for checkout; `None` for a tier of an earlier release without an amount.
    pub code: Option<String>,
}

/// Returns the code with which a reward is used at checkout.
#[must_use]
pub fn reward_code(points: i64) -> String {
    format!("{REWARD_CODE_PREFIX}{points}")
}

/// Returns whether a code has the form of [`reward_code`].
#[must_use]
pub fn is_reward_code(code: &str) -> bool {
    code.strip_prefix(REWARD_CODE_PREFIX)
        .is_some_and(|points| !points.is_empty() && points.bytes().all(|byte| byte.is_ascii_digit()))
}

const REWARD_CODE_PREFIX: &str = "REWARD";

/// A line of the points ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointEntry {
    pub id: EntryId,
    /// Negative if points were revoked.
    pub points: i64,
    pub balance_after: i64,
    pub title: String,
    pub at: Timestamp,
    pub order_id: Option<OrderId>,
}

/// The amounts of an order that determine its points, and the points posted so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderPoints {
    pub order_id: OrderId,
    /// Subtotal less discounts; 0 until the order is completed.
    pub earning: Money,
    /// What the consumer paid, with tax and tip; 0 until the order is completed.
    pub total: Money,
    pub refunded: Money,
    /// Whether the payment was lost. Then the order earns nothing.
    pub is_unpaid: bool,
    /// Points for each whole major unit. Higher in the native app.
    pub points_per_unit: i64,
    pub points: i64,
    /// Number of postings so far.
    pub postings: i64,
}

impl OrderPoints {
    /// Whether all that was paid for the order was refunded after its completion. A reward may have paid for all items, so that
    /// the order earned nothing and only tax or a tip was paid.
    #[must_use]
    pub const fn is_refunded(&self) -> bool {
        self.total.minor_units() > 0 && self.refunded.minor_units() >= self.total.minor_units()
    }

    /// Whether the points of the order's reward are given back. Not those of an unpaid order, whose late payment was refunded: the
    /// store collected the price less the reward.
    #[must_use]
    pub const fn returns_reward(&self) -> bool {
        self.is_refunded() && !self.is_unpaid
    }
}

/// Returns the points for an order: `per_unit` for each whole major unit (dollar) of `earning` less `refunded`.
/// Fractions of a unit earn nothing.
#[must_use]
pub fn points_earned(earning: Money, refunded: Money, per_unit: i64) -> i64 {
    let net = earning.minor_units().saturating_sub(refunded.minor_units());
    points_for(Money::new(net, earning.currency()), per_unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn codes_of_rewards_are_recognized() {
        assert!(is_reward_code(&reward_code(250)));
        for code in ["REWARD", "REWARD2X", "REWARDS250", "WELCOME3"] {
            assert!(!is_reward_code(code), "{code}");
        }
    }

    #[test]
    fn each_whole_dollar_earns_ten_points() {
        for (cents, points) in [(0, 0), (99, 0), (100, 10), (640, 60), (699, 60), (-500, 0)] {
            assert_eq!(
                points_earned(Money::usd(cents), Money::ZERO, 10),
                points,
                "{cents} cents"
            );
        }
        assert_eq!(points_earned(Money::usd(640), Money::usd(200), 10), 40);
        assert_eq!(points_earned(Money::usd(640), Money::usd(700), 10), 0);
    }

    proptest! {
        #[test]
        fn points_are_never_negative_and_never_exceed_the_order(earning: i64, refunded in 0_i64.., per_unit in 0_i64..1000) {
            let points = points_earned(Money::usd(earning), Money::usd(refunded), per_unit);
            prop_assert!(points >= 0);
            prop_assert!(points / per_unit.max(1) <= earning.max(0) / 100);
        }
    }
}
