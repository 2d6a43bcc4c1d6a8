//! Refunds of parts of completed orders.

use types::Money;

/// Amounts of an order's payment, by where they came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefundParts {
    /// Of the card, wallet or bank account.
    pub charge: Money,
    pub stored_value: Money,
}

/// A refund of a part of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderRefund {
    /// Unique for the order.
    pub refund_id: String,
    pub parts: RefundParts,
}

/// Accepts an id that fits in one line of a log or a list.
///
/// # Errors
/// The id is blank, longer than 64 characters, or has control characters such as line breaks.
pub fn parse_refund_id(text: &str) -> Result<String, &'static str> {
    let is_valid =
        !text.trim().is_empty() && text.chars().count() <= 64 && !text.chars().any(char::is_control);
    is_valid
        .then(|| text.to_owned())
        .ok_or("expected up to 64 characters in one line")
}

impl RefundParts {
    #[must_use]
    pub fn total(self) -> Money {
        Money::new(
            self.charge.minor_units() + self.stored_value.minor_units(),
            self.charge.currency(),
        )
    }

    /// Splits the refund of an amount in the reverse order of the payment: the card first, then stored value. `paid` is what
    /// the order paid, `refunded` the refunds before.
    ///
    /// Returns `None` if the amount is not positive, or greater than what was not refunded.
    #[must_use]
    pub fn split(paid: Self, refunded: &[OrderRefund], amount: Money) -> Option<Self> {
        let sum = |part: fn(Self) -> Money| -> i64 {
            refunded
                .iter()
                .map(|refund| part(refund.parts).minor_units())
                .sum()
        };
        let charge_rest = paid.charge.minor_units() - sum(|parts| parts.charge);
        let stored_rest = paid.stored_value.minor_units() - sum(|parts| parts.stored_value);
        // A charge that was refunded in part and failed later has no rest.
        let charge = amount.minor_units().min(charge_rest.max(0));
        let stored_value = amount.minor_units() - charge;
        (amount.is_positive() && stored_value <= stored_rest).then(|| Self {
            charge: Money::new(charge, amount.currency()),
            stored_value: Money::new(stored_value, amount.currency()),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(charge: i64, stored_value: i64) -> RefundParts {
        RefundParts {
            charge: Money::usd(charge),
            stored_value: Money::usd(stored_value),
        }
    }

    fn refund(charge: i64, stored_value: i64) -> OrderRefund {
        OrderRefund {
            refund_id: String::new(),
            parts: parts(charge, stored_value),
        }
    }

    #[test]
    fn a_refund_id_is_one_line() {
        for id in ["1", "the rest", "caf\u{e9}", &"x".repeat(64)] {
            assert_eq!(parse_refund_id(id).as_deref(), Ok(id));
        }
        for id in ["", " ", "a\nb", "a\tb", &"x".repeat(65)] {
            assert!(parse_refund_id(id).is_err(), "{id:?}");
        }
    }

    #[test]
    fn the_card_is_refunded_before_stored_value() {
        for (refunded, amount, expected) in [
            (vec![], 300, Some(parts(300, 0))),
            (vec![refund(300, 0)], 400, Some(parts(250, 150))),
            (vec![refund(300, 0), refund(250, 150)], 250, Some(parts(0, 250))),
            (vec![refund(300, 0), refund(250, 150)], 251, None),
            (vec![], 951, None),
            (vec![], 0, None),
            (vec![], -1, None),
        ] {
            let split = RefundParts::split(parts(550, 400), &refunded, Money::usd(amount));
            assert_eq!(split, expected, "{amount} after {refunded:?}");
        }
    }

    #[test]
    fn a_failed_charge_is_not_refunded() {
        for refunded in [vec![], vec![refund(300, 0)]] {
            let split = |cents| RefundParts::split(parts(0, 400), &refunded, Money::usd(cents));
            assert_eq!(split(400), Some(parts(0, 400)), "{refunded:?}");
            assert_eq!(split(401), None, "{refunded:?}");
        }
    }

    proptest! {
        #[test]
        fn refunds_never_exceed_a_part(charge in 0..2_000_i64, stored in 0..2_000_i64, amounts in prop::collection::vec(-10..1_500_i64, 0..12)) {
            let paid = parts(charge, stored);
            let mut refunded: Vec<OrderRefund> = Vec::new();
            for amount in amounts {
                let before: i64 = refunded.iter().map(|refund| refund.parts.total().minor_units()).sum();
                let split = RefundParts::split(paid, &refunded, Money::usd(amount));
                prop_assert_eq!(split.is_some(), amount > 0 && before + amount <= charge + stored);
                if let Some(parts) = split {
                    prop_assert_eq!(parts.total(), Money::usd(amount));
                    refunded.push(OrderRefund { refund_id: String::new(), parts });
                }
                let sum = |part: fn(&OrderRefund) -> i64| -> i64 { refunded.iter().map(part).sum() };
                prop_assert!(sum(|refund| refund.parts.charge.minor_units()) <= charge);
                prop_assert!(sum(|refund| refund.parts.stored_value.minor_units()) <= stored);
            }
        }
    }
}
