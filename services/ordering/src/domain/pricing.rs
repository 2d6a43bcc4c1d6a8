//! What an order costs: items, less the discount, plus tax on what is left, plus the tip.

use types::{Money, MoneyError};

/// A tip may always be this much, however small the order (contract, "Numbers where the specification has none").
const TIP_ALWAYS: Money = Money::usd(10_000);

/// The sums of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals {
    /// All lines.
    pub subtotal: Money,
    /// What the promo takes off, never more than the subtotal.
    pub discount: Money,
    /// Tax on the discounted subtotal, half up, once for the whole order.
    pub tax: Money,
    /// The tip.
    pub tip: Money,
    /// What is charged.
    pub total: Money,
    /// Each line's part of the discount, in the order of the lines.
    pub line_discounts: Vec<Money>,
    /// What completing it earns.
    pub points: i64,
}

/// Why a cart has no price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PricingError {
    /// Below nothing, or above what we take.
    #[error("tip out of range")]
    TipOutOfRange,
    /// Numbers that no order has.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// Sums up an order.
///
/// # Errors
/// [`PricingError::TipOutOfRange`]: a tip is at most the subtotal or 100 dollars, whichever is more.
pub fn totals(
    amounts: &[Money],
    discount: Money,
    tax_rate_ppm: i64,
    tip: Money,
    points_per_dollar: i64,
) -> Result<Totals, PricingError> {
    let subtotal = amounts
        .iter()
        .try_fold(Money::ZERO, |sum, &amount| sum.plus(amount))?;
    let discount = Money::usd(discount.minor_units().clamp(0, subtotal.minor_units()));
    let most = subtotal.minor_units().max(TIP_ALWAYS.minor_units());
    if !(0..=most).contains(&tip.minor_units()) {
        return Err(PricingError::TipOutOfRange);
    }
    let taxable = subtotal.minus(discount)?;
    let tax = taxable.part_per_million(tax_rate_ppm)?;
    let total = taxable.plus(tax)?.plus(tip)?;
    let points = taxable.minor_units() / taxable.currency().fraction() * points_per_dollar;
    let line_discounts = spread(discount, amounts);
    Ok(Totals {
        subtotal,
        discount,
        tax,
        tip,
        total,
        line_discounts,
        points,
    })
}

/// Spreads a discount over lines in proportion, by largest remainder: the parts always sum to it exactly.
fn spread(discount: Money, amounts: &[Money]) -> Vec<Money> {
    let whole: i128 = amounts
        .iter()
        .map(|amount| i128::from(amount.minor_units()))
        .sum();
    if whole == 0 {
        return vec![Money::ZERO; amounts.len()];
    }
    let shares = amounts
        .iter()
        .map(|amount| i128::from(amount.minor_units()) * i128::from(discount.minor_units()));
    let mut parts: Vec<(i128, i128)> = shares.map(|share| (share / whole, share % whole)).collect();
    let given: i128 = parts.iter().map(|(part, _)| part).sum();
    let mut left = i128::from(discount.minor_units()) - given;
    let mut by_remainder: Vec<usize> = (0..parts.len()).collect();
    by_remainder.sort_by_key(|&index| std::cmp::Reverse(parts[index].1));
    for index in by_remainder {
        if left == 0 {
            break;
        }
        parts[index].0 += 1;
        left -= 1;
    }
    parts
        .into_iter()
        .map(|(part, _)| Money::usd(i64::try_from(part).unwrap_or(i64::MAX)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_order_of_the_drawings() {
        // An iced oat latte and a croissant: $9.50, 9.5 % tax, $2 tip (look, checkout).
        let totals = totals(
            &[Money::usd(575), Money::usd(375)],
            Money::ZERO,
            95_000,
            Money::usd(200),
            10,
        )
        .unwrap();
        assert_eq!(
            (totals.tax, totals.total, totals.points),
            (Money::usd(90), Money::usd(1240), 90)
        );
    }

    #[test]
    fn tax_comes_after_the_discount() {
        let totals = totals(&[Money::usd(1000)], Money::usd(300), 10_0000, Money::ZERO, 10).unwrap();
        assert_eq!((totals.tax, totals.total), (Money::usd(70), Money::usd(770)));
    }

    #[test]
    fn tips_have_limits() {
        let with_tip = |cents| totals(&[Money::usd(500)], Money::ZERO, 0, Money::usd(cents), 10);
        assert!(with_tip(10_000).is_ok());
        for cents in [-1, 10_001, i64::MIN, i64::MAX] {
            assert_eq!(with_tip(cents), Err(PricingError::TipOutOfRange));
        }
    }

    proptest! {
        #[test]
        fn the_books_of_an_order_balance(
            amounts in proptest::collection::vec(0_i64..10_0000, 1..20),
            discount in 0_i64..200_000,
            rate in 0_i64..200_000,
            tip in 0_i64..10_000,
        ) {
            let amounts: Vec<Money> = amounts.into_iter().map(Money::usd).collect();
            let totals = totals(&amounts, Money::usd(discount), rate, Money::usd(tip), 10).unwrap();
            let cents = |money: Money| money.minor_units();
            prop_assert_eq!(cents(totals.total), cents(totals.subtotal) - cents(totals.discount) + cents(totals.tax) + cents(totals.tip));
            prop_assert_eq!(totals.line_discounts.iter().map(|part| cents(*part)).sum::<i64>(), cents(totals.discount));
            for (part, amount) in totals.line_discounts.iter().zip(&amounts) {
                prop_assert!((0..=cents(*amount)).contains(&cents(*part)));
            }
        }
    }
}
