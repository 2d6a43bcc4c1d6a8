//! What an order earns.

use types::Money;

/// The points for an order: so many for each whole unit (dollar) of its subtotal after discounts, less what was
/// refunded of it. Parts of a unit earn nothing.
#[must_use]
pub fn earned(earning: Money, refunded: Money, per_unit: i64) -> i64 {
    let kept = earning
        .minor_units()
        .saturating_sub(refunded.minor_units())
        .max(0);
    (kept / earning.currency().fraction()).saturating_mul(per_unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ten_for_each_whole_dollar() {
        for (cents, points) in [(0, 0), (99, 0), (100, 10), (640, 60), (699, 60), (-500, 0)] {
            assert_eq!(
                earned(Money::usd(cents), Money::ZERO, 10),
                points,
                "{cents} cents"
            );
        }
        assert_eq!(earned(Money::usd(640), Money::usd(200), 10), 40);
        assert_eq!(earned(Money::usd(640), Money::usd(700), 10), 0);
    }

    proptest! {
        #[test]
        fn never_negative_and_never_more_than_the_order_is_worth(earning: i64, refunded in 0_i64.., per_unit in 0_i64..1000) {
            let points = earned(Money::usd(earning), Money::usd(refunded), per_unit);
            prop_assert!(points >= 0);
            prop_assert!(points / per_unit.max(1) <= earning.max(0) / 100);
        }
    }
}
