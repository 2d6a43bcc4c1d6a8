//! Promo codes: what they take off, and when they do not hold.

use jiff::Timestamp;
use types::Money;

/// The most letters that a code has (`promos_code_form`).
const LONGEST_CODE: usize = 24;

/// What a code takes off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Off {
    /// An amount, at most the subtotal.
    Fixed(Money),
    /// A part of the subtotal in parts per million, rounded half up.
    Rate(i64),
}

/// A promo code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promo {
    /// As people type it, in capitals.
    pub code: String,
    /// What it takes off.
    pub off: Off,
    /// The least subtotal that it holds for.
    pub minimum: Money,
    /// Whether a consumer may use it once only.
    pub once: bool,
    /// When it begins.
    pub starts_at: Timestamp,
    /// When it is over; never where there is none.
    pub ends_at: Option<Timestamp>,
    /// Whether only so many orders may claim it.
    pub limited: bool,
    /// Whether so many have.
    pub used_up: bool,
}

/// What a code comes to for an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discount {
    /// The code, as it was understood.
    pub code: String,
    /// "fixed" or "percent"; empty for a code that there is not.
    pub kind: &'static str,
    /// What it takes off, or why it does not.
    pub off: Result<Money, Verdict>,
}

/// Why a code gives nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// There is no such code, or not yet.
    Unknown,
    /// This consumer has used it.
    Used,
    /// It is over, or as many as may have used it.
    Expired,
    /// The order is too small.
    Minimum(Money),
}

impl Off {
    /// The contract's word for it.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Fixed(_) => "fixed",
            Self::Rate(_) => "percent",
        }
    }
}

impl Verdict {
    /// Stable, for code.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Unknown => "PROMO_UNKNOWN",
            Self::Used => "PROMO_USED",
            Self::Expired => "PROMO_EXPIRED",
            Self::Minimum(_) => "PROMO_MINIMUM",
        }
    }

    /// For the person.
    #[must_use]
    pub fn message(self) -> String {
        match self {
            Self::Unknown => "We do not know this promo code.".to_owned(),
            Self::Used => "You have used this promo code already.".to_owned(),
            Self::Expired => "This promo code is no longer valid.".to_owned(),
            Self::Minimum(least) => format!("This promo code is for orders of {least} or more."),
        }
    }
}

impl Promo {
    /// A code as somebody typed it: capitals, without spaces and whatever else is in no code, and not for ever.
    #[must_use]
    pub fn normalize(typed: &str) -> String {
        typed
            .chars()
            .filter(char::is_ascii_graphic)
            .take(LONGEST_CODE + 1)
            .collect::<String>()
            .to_ascii_uppercase()
    }

    /// What it takes off this subtotal now, never more than the subtotal.
    ///
    /// # Errors
    /// [`Verdict`]; whether this consumer has used it is not known here.
    pub fn discount(&self, subtotal: Money, now: Timestamp) -> Result<Money, Verdict> {
        if now < self.starts_at {
            return Err(Verdict::Unknown);
        }
        if self.used_up || self.ends_at.is_some_and(|end| now >= end) {
            return Err(Verdict::Expired);
        }
        if subtotal.minor_units() < self.minimum.minor_units() {
            return Err(Verdict::Minimum(self.minimum));
        }
        let off = match self.off {
            Off::Fixed(amount) => amount.minor_units(),
            // A part of at most a million in a million always fits.
            Off::Rate(parts) => subtotal.part_per_million(parts).map_or(0, Money::minor_units),
        };
        Ok(Money::new(
            off.clamp(0, subtotal.minor_units().max(0)),
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

    fn promo(off: Off) -> Promo {
        Promo {
            code: "FRESH10".into(),
            off,
            minimum: Money::usd(500),
            once: false,
            starts_at: second(100),
            ends_at: Some(second(200)),
            limited: false,
            used_up: false,
        }
    }

    #[test]
    fn holds_from_its_first_instant_until_its_last() {
        let promo = promo(Off::Fixed(Money::usd(300)));
        let at = |seconds| promo.discount(Money::usd(640), second(seconds));
        assert_eq!(at(99), Err(Verdict::Unknown));
        assert_eq!((at(100), at(199)), (Ok(Money::usd(300)), Ok(Money::usd(300))));
        assert_eq!(at(200), Err(Verdict::Expired));
        assert_eq!(
            Promo {
                used_up: true,
                ..promo
            }
            .discount(Money::usd(640), second(150)),
            Err(Verdict::Expired)
        );
    }

    #[test]
    fn is_read_as_people_type_it() {
        assert_eq!(Promo::normalize(" fresh 10\0\n"), "FRESH10");
        assert_eq!(Promo::normalize(&"x".repeat(1_000_000)).len(), 25);
    }

    #[test]
    fn needs_its_minimum() {
        let promo = promo(Off::Rate(100_000));
        assert_eq!(
            promo.discount(Money::usd(499), second(150)),
            Err(Verdict::Minimum(Money::usd(500)))
        );
        assert_eq!(
            promo.discount(Money::usd(505), second(150)),
            Ok(Money::usd(51)),
            "half up"
        );
    }

    proptest! {
        #[test]
        fn never_takes_more_than_there_is(subtotal: i64, cents in 1_i64.., parts in 1_i64..=1_000_000, fixed: bool) {
            let off = if fixed { Off::Fixed(Money::usd(cents)) } else { Off::Rate(parts) };
            let promo = Promo { minimum: Money::usd(i64::MIN), ..promo(off) };
            let off = promo.discount(Money::usd(subtotal), second(150)).unwrap().minor_units();
            prop_assert!(off >= 0 && off <= subtotal.max(0));
        }
    }
}
