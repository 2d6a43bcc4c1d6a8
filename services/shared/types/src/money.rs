//! Money in whole minor units of one currency. No floats, no silent overflow.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Supported currencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Currency {
    /// US dollar (specification section 9: the wallet's currency).
    #[default]
    Usd,
}

impl Currency {
    /// Returns the ISO 4217 code in lower case, as used by payment providers.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Usd => "usd",
        }
    }

    /// Returns the number of minor units in a major unit.
    #[must_use]
    pub const fn fraction(self) -> i64 {
        match self {
            Self::Usd => 100,
        }
    }
}

impl std::str::FromStr for Currency {
    type Err = MoneyError;

    fn from_str(code: &str) -> Result<Self, MoneyError> {
        match code {
            "usd" => Ok(Self::Usd),
            _ => Err(MoneyError::UnknownCurrency),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    #[error("amount out of range")]
    OutOfRange,
    #[error("amounts of different currencies")]
    CurrencyMismatch,
    #[error("unknown currency")]
    UnknownCurrency,
}

/// An amount in minor units (cents). May be negative, for example in postings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Money {
    minor_units: i64,
    currency: Currency,
}

impl Money {
    pub const ZERO: Self = Self::usd(0);

    #[must_use]
    pub const fn new(minor_units: i64, currency: Currency) -> Self {
        Self {
            minor_units,
            currency,
        }
    }

    #[must_use]
    pub const fn usd(cents: i64) -> Self {
        Self {
            minor_units: cents,
            currency: Currency::Usd,
        }
    }

    #[must_use]
    pub const fn minor_units(self) -> i64 {
        self.minor_units
    }

    #[must_use]
    pub const fn currency(self) -> Currency {
        self.currency
    }

    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.minor_units > 0
    }

    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        self.same_currency(other)?;
        let sum = self
            .minor_units
            .checked_add(other.minor_units)
            .ok_or(MoneyError::OutOfRange)?;
        Ok(Self::new(sum, self.currency))
    }

    pub fn minus(self, other: Self) -> Result<Self, MoneyError> {
        self.same_currency(other)?;
        let difference = self
            .minor_units
            .checked_sub(other.minor_units)
            .ok_or(MoneyError::OutOfRange)?;
        Ok(Self::new(difference, self.currency))
    }

    pub fn times(self, count: u32) -> Result<Self, MoneyError> {
        let product = self
            .minor_units
            .checked_mul(i64::from(count))
            .ok_or(MoneyError::OutOfRange)?;
        Ok(Self::new(product, self.currency))
    }

    /// Multiplies the amount by `parts` per million. Rounds half away from zero.
    pub fn part_per_million(self, parts: i64) -> Result<Self, MoneyError> {
        let product = i128::from(self.minor_units) * i128::from(parts);
        let half = if product < 0 { -500_000 } else { 500_000 };
        let rounded = i64::try_from((product + half) / 1_000_000).map_err(|_| MoneyError::OutOfRange)?;
        Ok(Self::new(rounded, self.currency))
    }

    fn same_currency(self, other: Self) -> Result<(), MoneyError> {
        if self.currency == other.currency {
            Ok(())
        } else {
            Err(MoneyError::CurrencyMismatch)
        }
    }
}

impl fmt::Display for Money {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.minor_units < 0 { "-" } else { "" };
        let units = self.minor_units.unsigned_abs();
        write!(out, "{sign}${}.{:02}", units / 100, units % 100)
    }
}

impl fmt::Debug for Money {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_are_rounded_half_away_from_zero() {
        // 9.5 % of $9.50 is 90.25 cents, of $1.00 exactly 9.5 cents.
        assert_eq!(Money::usd(950).part_per_million(95_000), Ok(Money::usd(90)));
        assert_eq!(Money::usd(100).part_per_million(95_000), Ok(Money::usd(10)));
        assert_eq!(Money::usd(-100).part_per_million(95_000), Ok(Money::usd(-10)));
    }

    #[test]
    fn overflow_returns_an_error() {
        assert_eq!(
            Money::usd(i64::MAX).plus(Money::usd(1)),
            Err(MoneyError::OutOfRange)
        );
        assert_eq!(
            Money::usd(i64::MIN).minus(Money::usd(1)),
            Err(MoneyError::OutOfRange)
        );
        assert_eq!(Money::usd(i64::MAX).times(2), Err(MoneyError::OutOfRange));
    }

    #[test]
    fn amounts_are_displayed_with_sign_symbol_and_two_decimals() {
        assert_eq!(Money::usd(1240).to_string(), "$12.40");
        assert_eq!(Money::usd(-5).to_string(), "-$0.05");
    }

    proptest! {
        #[test]
        fn subtracting_an_added_amount_restores_the_sum(a in -1_000_000_000_i64..1_000_000_000, b in -1_000_000_000_i64..1_000_000_000) {
            let sum = Money::usd(a).plus(Money::usd(b)).unwrap();
            prop_assert_eq!(sum.minus(Money::usd(b)).unwrap(), Money::usd(a));
        }

        #[test]
        fn rounding_changes_a_part_by_at_most_half_a_cent(cents in 0_i64..10_000_000, parts in 0_i64..1_000_000) {
            let part = Money::usd(cents).part_per_million(parts).unwrap().minor_units();
            prop_assert!((i128::from(part) * 1_000_000 - i128::from(cents) * i128::from(parts)).abs() <= 500_000);
        }
    }
}
