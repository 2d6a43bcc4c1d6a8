//! The price of an order: the lines less the discount, plus tax on that amount, plus the tip.

use types::{Money, MoneyError, limits::MAX_TIP_CENTS, points::points_for};

/// The amounts of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    pub subtotal: Money,
    /// At most the subtotal.
    pub discount: Money,
    /// On the discounted subtotal, calculated once for the whole order and rounded half up.
    pub tax: Money,
    pub tip: Money,
    pub total: Money,
    /// Points that the consumer earns when the order is completed.
    pub points: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PricingError {
    #[error("tip out of range")]
    TipOutOfRange,
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// Calculates the totals of lines with these amounts. The rate is that of [`types::points::order_rate`].
///
/// # Errors
/// [`PricingError::TipOutOfRange`] if the tip is negative, or greater than both the subtotal and 100 dollars.
pub fn totals(
    line_amounts: &[Money],
    discount: Money,
    tax_rate_ppm: i64,
    tip: Money,
    points_rate: i64,
) -> Result<Totals, PricingError> {
    let subtotal = line_amounts
        .iter()
        .try_fold(Money::ZERO, |sum, &amount| sum.plus(amount))?;
    let discount = Money::usd(discount.minor_units().clamp(0, subtotal.minor_units()));
    if !(0..=max_tip(subtotal)).contains(&tip.minor_units()) {
        return Err(PricingError::TipOutOfRange);
    }
    let taxable = subtotal.minus(discount)?;
    let tax = taxable.part_per_million(tax_rate_ppm)?;
    let total = taxable.plus(tax)?.plus(tip)?;
    let points = points_for(taxable, points_rate);
    Ok(Totals {
        subtotal,
        discount,
        tax,
        tip,
        total,
        points,
    })
}

/// Returns the greatest tip of an order in cents: the subtotal or 100 dollars, whichever is greater.
#[must_use]
pub fn max_tip(subtotal: Money) -> i64 {
    subtotal.minor_units().max(MAX_TIP_CENTS)
}

/// Spreads a discount over lines in proportion to their amounts, by largest remainder. The shares sum to the discount.
#[must_use]
pub fn spread_discount(discount: Money, line_amounts: &[Money]) -> Vec<Money> {
    let sum: i128 = line_amounts
        .iter()
        .map(|amount| i128::from(amount.minor_units()))
        .sum();
    if sum == 0 {
        return vec![Money::ZERO; line_amounts.len()];
    }
    let (mut shares, remainders): (Vec<i128>, Vec<i128>) = line_amounts
        .iter()
        .map(|amount| i128::from(amount.minor_units()) * i128::from(discount.minor_units()))
        .map(|product| (product / sum, product % sum))
        .unzip();
    let mut undistributed = i128::from(discount.minor_units()) - shares.iter().sum::<i128>();
    let mut by_remainder: Vec<usize> = (0..shares.len()).collect();
    by_remainder.sort_by_key(|&index| std::cmp::Reverse(remainders[index]));
    for index in by_remainder {
        if undistributed == 0 {
            break;
        }
        shares[index] += 1;
        undistributed -= 1;
    }
    shares
        .into_iter()
        .map(|share| Money::usd(i64::try_from(share).unwrap_or(i64::MAX)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_order_without_discount_is_priced_with_tax_and_tip() {
        // An iced oat latte and a croissant: $9.50, 9.5 % tax, $2 tip.
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
    fn tax_is_calculated_after_the_discount() {
        let totals = totals(&[Money::usd(1000)], Money::usd(300), 100_000, Money::ZERO, 10).unwrap();
        assert_eq!((totals.tax, totals.total), (Money::usd(70), Money::usd(770)));
    }

    #[test]
    fn tips_outside_their_limits_are_errors() {
        let with_tip = |cents| totals(&[Money::usd(500)], Money::ZERO, 0, Money::usd(cents), 10);
        assert!(with_tip(10_000).is_ok());
        for cents in [-1, 10_001, i64::MIN, i64::MAX] {
            assert_eq!(with_tip(cents), Err(PricingError::TipOutOfRange));
        }
    }

    proptest! {
        #[test]
        fn no_amount_is_negative_and_tax_is_rounded_half_up_once(
            amounts in proptest::collection::vec(0_i64..100_000, 0..20),
            discount in i64::MIN..i64::MAX,
            rate in 0_i64..=1_000_000,
            tip in 0_i64..=10_000,
        ) {
            let amounts: Vec<Money> = amounts.into_iter().map(Money::usd).collect();
            let totals = totals(&amounts, Money::usd(discount), rate, Money::usd(tip), 10).unwrap();
            for amount in [totals.subtotal, totals.discount, totals.tax, totals.tip, totals.total] {
                prop_assert!(amount.minor_units() >= 0, "{totals:?}");
            }
            prop_assert!(totals.points >= 0);
            let taxable = i128::from(totals.subtotal.minor_units() - totals.discount.minor_units());
            // Twice the exact tax in millionths of a cent, so that half a cent is an integer.
            let (exact, charged) = (2 * taxable * i128::from(rate), 2 * i128::from(totals.tax.minor_units()) * 1_000_000);
            prop_assert!(charged - exact <= 1_000_000 && exact - charged < 1_000_000, "{totals:?}");
        }

        #[test]
        fn the_amounts_of_an_order_add_up(
            amounts in proptest::collection::vec(0_i64..100_000, 1..20),
            discount in 0_i64..200_000,
            rate in 0_i64..200_000,
            tip in 0_i64..10_000,
        ) {
            let amounts: Vec<Money> = amounts.into_iter().map(Money::usd).collect();
            let totals = totals(&amounts, Money::usd(discount), rate, Money::usd(tip), 10).unwrap();
            let cents = |money: Money| money.minor_units();
            prop_assert_eq!(cents(totals.total), cents(totals.subtotal) - cents(totals.discount) + cents(totals.tax) + cents(totals.tip));
            prop_assert_eq!(cents(totals.subtotal), amounts.iter().map(|amount| cents(*amount)).sum::<i64>());
            let shares = spread_discount(totals.discount, &amounts);
            prop_assert_eq!(shares.iter().map(|share| cents(*share)).sum::<i64>(), cents(totals.discount));
            for (share, amount) in shares.iter().zip(&amounts) {
                prop_assert!((0..=cents(*amount)).contains(&cents(*share)));
            }
            let lines: i64 = amounts.iter().zip(&shares).map(|(amount, share)| cents(*amount) - cents(*share)).sum();
            prop_assert_eq!(lines + cents(totals.tax) + cents(totals.tip), cents(totals.total));
        }
    }
}
