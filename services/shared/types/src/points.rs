//! Points that orders earn. Ordering shows them before the order and rewards awards them, by the same rule and setting.

use crate::Money;

/// The install banner promises it.
const APP_FACTOR: i64 = 2;

/// The default of the setting `POINTS_PER_DOLLAR`.
#[must_use]
pub const fn default_points_per_dollar() -> i64 {
    10
}

/// Returns the points for each whole dollar of an order. `points_per_dollar` is the setting.
#[must_use]
pub const fn order_rate(points_per_dollar: i64, is_in_app: bool) -> i64 {
    if is_in_app {
        points_per_dollar.saturating_mul(APP_FACTOR)
    } else {
        points_per_dollar
    }
}

/// Returns the points for an amount at a rate. Fractions of a dollar earn nothing.
#[must_use]
pub fn points_for(amount: Money, rate: i64) -> i64 {
    (amount.minor_units().max(0) / amount.currency().fraction()).saturating_mul(rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_whole_dollar_earns_ten_points_and_twenty_in_the_app() {
        let rate = |is_in_app| order_rate(default_points_per_dollar(), is_in_app);
        for (cents, points) in [(0, 0), (99, 0), (100, 10), (640, 60), (699, 60), (-500, 0)] {
            let amount = Money::usd(cents);
            assert_eq!(points_for(amount, rate(false)), points);
            assert_eq!(points_for(amount, rate(true)), 2 * points);
        }
    }
}
