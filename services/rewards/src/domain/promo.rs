//! Promo codes and their discounts.

use jiff::Timestamp;
use types::Money;

/// Maximum length of a normalized code, as in the constraint `promos_code_format`.
const MAX_CODE_CHARS: usize = 24;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiscountRule {
    /// At most the subtotal is deducted.
    Fixed(Money),
    /// Parts per million of the subtotal, rounded half up.
    Rate(i64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promo {
    /// Normalized.
    pub code: String,
    pub rule: DiscountRule,
    pub min_subtotal: Money,
    /// Whether each consumer, and each phone number, can use it only once.
    pub once_per_consumer: bool,
    pub starts_at: Timestamp,
    /// Exclusive; `None` if it does not expire.
    pub ends_at: Option<Timestamp>,
    /// Whether the number of claims is limited.
    pub is_limited: bool,
    /// Whether that limit is reached.
    pub is_used_up: bool,
}

/// The result of pricing or claiming a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discount {
    /// Normalized.
    pub code: String,
    /// `None` if the code is unknown.
    pub rule: Option<DiscountRule>,
    pub amount: Result<Money, PromoError>,
}

/// Why a code does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromoError {
    /// There is no such code, or it is not valid yet.
    Unknown,
    /// The consumer has used it.
    Used,
    /// It expired, or its number of claims is reached.
    Expired,
    BelowMinimum {
        min_subtotal: Money,
    },
}

impl PromoError {
    /// Returns the stable reason code.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Unknown => "PROMO_UNKNOWN",
            Self::Used => "PROMO_USED",
            Self::Expired => "PROMO_EXPIRED",
            Self::BelowMinimum { .. } => "PROMO_MINIMUM",
        }
    }

    /// Returns the text for the consumer.
    #[must_use]
    pub fn message(self) -> String {
        match self {
            Self::Unknown => "That promo code isn't valid.".to_owned(),
            Self::Used => "You've already used this promo code.".to_owned(),
            Self::Expired => "This promo code has expired.".to_owned(),
            Self::BelowMinimum { min_subtotal } => {
                format!("Spend {min_subtotal} or more to use this promo code.")
            }
        }
    }
}

impl Discount {
    pub(crate) const fn unknown_code(code: String) -> Self {
        Self {
            code,
            rule: None,
            amount: Err(PromoError::Unknown),
        }
    }
}

impl Promo {
    /// Returns a typed code in upper case, without whitespace, control and non-ASCII characters. Cuts it to one
    /// character more than a valid code has, so that a longer code stays invalid.
    #[must_use]
    pub fn normalize_code(typed: &str) -> String {
        typed
            .chars()
            .filter(char::is_ascii_graphic)
            .take(MAX_CODE_CHARS + 1)
            .collect::<String>()
            .to_ascii_uppercase()
    }

    /// Returns the discount on a subtotal, between 0 and the subtotal. Does not check whether the consumer has used
    /// the code.
    ///
    /// # Errors
    /// [`PromoError`], except [`PromoError::Used`].
    pub fn discount(&self, subtotal: Money, now: Timestamp) -> Result<Money, PromoError> {
        if now < self.starts_at {
            return Err(PromoError::Unknown);
        }
        if self.is_used_up || self.ends_at.is_some_and(|end| now >= end) {
            return Err(PromoError::Expired);
        }
        if subtotal.minor_units() < self.min_subtotal.minor_units() {
            return Err(PromoError::BelowMinimum {
                min_subtotal: self.min_subtotal,
            });
        }
        let cents = match self.rule {
            DiscountRule::Fixed(amount) => amount.minor_units(),
            // Cannot overflow: the constraint `promos_rate_range` limits the rate to 1.
            DiscountRule::Rate(parts) => subtotal.part_per_million(parts).map_or(0, Money::minor_units),
        };
        Ok(Money::new(
            cents.clamp(0, subtotal.minor_units().max(0)),
            subtotal.currency(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn second(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn promo(rule: DiscountRule) -> Promo {
        Promo {
            code: "FRESH10".into(),
            rule,
            min_subtotal: Money::usd(500),
            once_per_consumer: false,
            starts_at: second(100),
            ends_at: Some(second(200)),
            is_limited: false,
            is_used_up: false,
        }
    }

    #[test]
    fn a_code_applies_from_its_start_until_before_its_end() {
        let promo = promo(DiscountRule::Fixed(Money::usd(300)));
        let at = |seconds| promo.discount(Money::usd(640), second(seconds));
        assert_eq!(at(99), Err(PromoError::Unknown));
        assert_eq!((at(100), at(199)), (Ok(Money::usd(300)), Ok(Money::usd(300))));
        assert_eq!(at(200), Err(PromoError::Expired));
    }

    #[test]
    fn a_used_up_code_is_expired() {
        let promo = Promo {
            is_used_up: true,
            ..promo(DiscountRule::Fixed(Money::usd(300)))
        };
        assert_eq!(
            promo.discount(Money::usd(640), second(150)),
            Err(PromoError::Expired)
        );
    }

    #[test]
    fn typed_codes_are_normalized() {
        assert_eq!(Promo::normalize_code(" fresh 10\0\n"), "FRESH10");
        assert_eq!(Promo::normalize_code(&"x".repeat(1_000_000)).len(), 25);
    }

    #[test]
    fn a_code_needs_its_minimum_subtotal() {
        let promo = promo(DiscountRule::Rate(100_000));
        assert_eq!(
            promo.discount(Money::usd(499), second(150)),
            Err(PromoError::BelowMinimum {
                min_subtotal: Money::usd(500)
            })
        );
        assert_eq!(
            promo.discount(Money::usd(505), second(150)),
            Ok(Money::usd(51)),
            "half up"
        );
    }

    proptest! {
        #[test]
        fn the_discount_is_between_zero_and_the_subtotal(
            subtotal: i64,
            cents in 1_i64..,
            parts in 1_i64..=1_000_000,
            is_fixed: bool,
        ) {
            let rule = if is_fixed { DiscountRule::Fixed(Money::usd(cents)) } else { DiscountRule::Rate(parts) };
            let promo = Promo { min_subtotal: Money::usd(i64::MIN), ..promo(rule) };
            let discount = promo.discount(Money::usd(subtotal), second(150)).unwrap().minor_units();
            prop_assert!(discount >= 0 && discount <= subtotal.max(0));
        }
    }
}
