//! Promo codes and their discounts.

use std::time::Duration;

use jiff::{Timestamp, civil::Weekday, tz::TimeZone};
use types::{CompanyId, Money};

use super::{promo_error::PromoError, weekdays::Weekdays};

/// Maximum number of different wrong codes of a consumer within [`FAILURE_WINDOW`].
pub const MAX_FAILURES: i64 = 10;
/// Time after which a wrong code no longer counts.
pub const FAILURE_WINDOW: Duration = Duration::from_hours(1);

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
    /// The company whose stores accept it; `None` for all stores.
    pub company: Option<PromoCompany>,
    /// Whether each consumer, and each phone number, can use it only once.
    pub once_per_consumer: bool,
    /// How often each consumer, and each phone number, can use it; `None` for any number, or once if
    /// [`Self::once_per_consumer`] is set.
    pub max_claims_per_consumer: Option<i64>,
    /// Whether it applies only to orders in the native app.
    pub is_app_only: bool,
    /// Whether it applies only to the consumer's first order in the native app.
    pub is_first_app_order: bool,
    /// The days in the store's time zone on which it applies.
    pub weekdays: Weekdays,
    pub starts_at: Timestamp,
    /// Exclusive; `None` if it does not expire.
    pub ends_at: Option<Timestamp>,
    /// Whether the limit of claims is reached.
    pub is_used_up: bool,
    /// Points that the code costs: it is a reward, which applies to one drink.
    pub reward_points: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromoCompany {
    pub id: CompanyId,
    pub name: String,
}

impl DiscountRule {
    /// Returns the type of the cart's promo (specification section 3).
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Fixed(_) => "fixed",
            Self::Rate(_) => "percent",
        }
    }
}

/// Where a consumer orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderPlace {
    /// The company of the store; `None` if ordering does not send it.
    pub company_id: Option<CompanyId>,
    /// The store's zone; `None` for the default zone.
    pub time_zone: Option<TimeZone>,
    pub is_in_app: bool,
    /// The price of the most expensive drink in the order; `None` without a drink.
    pub drink_price: Option<Money>,
}

impl OrderPlace {
    pub(crate) fn at(&self, now: Timestamp, default_time_zone: &TimeZone) -> OrderContext {
        let zone = self.time_zone.as_ref().unwrap_or(default_time_zone);
        OrderContext {
            now,
            company_id: self.company_id,
            weekday: now.to_zoned(zone.clone()).weekday(),
            is_in_app: self.is_in_app,
            drink_price: self.drink_price,
        }
    }
}

/// When and where a consumer orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderContext {
    pub now: Timestamp,
    pub company_id: Option<CompanyId>,
    /// In the store's time zone.
    pub weekday: Weekday,
    pub is_in_app: bool,
    pub drink_price: Option<Money>,
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
    /// Returns a typed code in upper case, without whitespace, control and non-ASCII characters. Truncates it to one
    /// character more than the maximum, so that a code that is too long stays invalid.
    #[must_use]
    pub fn normalize_code(typed: &str) -> String {
        typed
            .chars()
            .filter(char::is_ascii_graphic)
            .take(MAX_CODE_CHARS + 1)
            .collect::<String>()
            .to_ascii_uppercase()
    }

    /// Returns how often each consumer can use it.
    #[must_use]
    pub const fn claim_limit(&self) -> Option<i64> {
        if self.once_per_consumer {
            Some(1)
        } else {
            self.max_claims_per_consumer
        }
    }

    /// Returns whether the code has started, has not ended and is not used up. Ignores weekdays and what the consumer has used.
    #[must_use]
    pub fn is_available(&self, now: Timestamp) -> bool {
        self.starts_at <= now && !self.is_ended(now)
    }

    fn is_ended(&self, now: Timestamp) -> bool {
        self.is_used_up || self.ends_at.is_some_and(|end| now >= end)
    }

    /// Returns the discount on a subtotal, between 0 and the subtotal. Does not check what the consumer has used and ordered
    /// before.
    ///
    /// # Errors
    /// [`PromoError`], except [`PromoError::Used`], [`PromoError::NotFirstAppOrder`] and [`PromoError::NotEnoughPoints`].
    pub fn discount(&self, subtotal: Money, order: OrderContext) -> Result<Money, PromoError> {
        if order.now < self.starts_at {
            return Err(PromoError::Unknown);
        }
        if self.is_ended(order.now) {
            return Err(PromoError::Expired);
        }
        if let Some(company) = &self.company
            && order.company_id != Some(company.id)
        {
            return Err(PromoError::NotValidHere {
                company_name: company.name.clone(),
                is_reward: self.reward_points.is_some(),
            });
        }
        if self.is_app_only && !order.is_in_app {
            return Err(PromoError::AppOnly);
        }
        if !self.weekdays.contains(order.weekday) {
            return Err(PromoError::WrongDay {
                weekdays: self.weekdays,
            });
        }
        if subtotal.minor_units() < self.min_subtotal.minor_units() {
            return Err(PromoError::BelowMinimum {
                min_subtotal: self.min_subtotal,
            });
        }
        let cents = match self.rule {
            DiscountRule::Fixed(amount) if self.reward_points.is_some() => {
                let drink = order.drink_price.filter(|price| price.is_positive());
                amount
                    .minor_units()
                    .min(drink.ok_or(PromoError::NoDrink)?.minor_units())
            }
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

    /// An order on the web on a Thursday, at this Unix time.
    fn order(seconds: i64) -> OrderContext {
        OrderContext {
            now: second(seconds),
            company_id: None,
            weekday: Weekday::Thursday,
            is_in_app: false,
            drink_price: None,
        }
    }

    fn promo(rule: DiscountRule) -> Promo {
        Promo {
            code: "FRESH10".into(),
            rule,
            min_subtotal: Money::usd(500),
            company: None,
            once_per_consumer: false,
            max_claims_per_consumer: None,
            is_app_only: false,
            is_first_app_order: false,
            weekdays: Weekdays::EVERY_DAY,
            starts_at: second(100),
            ends_at: Some(second(200)),
            is_used_up: false,
            reward_points: None,
        }
    }

    #[test]
    fn a_code_applies_from_its_start_until_before_its_end() {
        let promo = promo(DiscountRule::Fixed(Money::usd(300)));
        let at = |seconds| promo.discount(Money::usd(640), order(seconds));
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
            promo.discount(Money::usd(640), order(150)),
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
            promo.discount(Money::usd(499), order(150)),
            Err(PromoError::BelowMinimum {
                min_subtotal: Money::usd(500)
            })
        );
        assert_eq!(
            promo.discount(Money::usd(505), order(150)),
            Ok(Money::usd(51)),
            "half up"
        );
    }

    #[test]
    fn a_code_of_a_company_applies_only_at_its_stores() {
        let [company_id, other] = [1, 2].map(|id| CompanyId::from_uuid(uuid::Uuid::from_u128(id)));
        let promo = Promo {
            company: Some(PromoCompany {
                id: company_id,
                name: "Juniper Lane Coffee".into(),
            }),
            ..promo(DiscountRule::Fixed(Money::usd(300)))
        };
        let at = |company_id| {
            let context = OrderContext {
                company_id,
                ..order(150)
            };
            promo.discount(Money::usd(640), context)
        };
        assert_eq!(at(Some(company_id)), Ok(Money::usd(300)));
        for elsewhere in [Some(other), None] {
            let error = at(elsewhere).unwrap_err();
            assert_eq!(error.reason(), "PROMO_NOT_VALID_HERE");
            assert_eq!(
                error.message(),
                "This promo code works only at Juniper Lane Coffee."
            );
        }
    }

    #[test]
    fn a_code_for_the_app_applies_only_there() {
        let promo = Promo {
            is_app_only: true,
            ..promo(DiscountRule::Fixed(Money::usd(300)))
        };
        let in_app = OrderContext {
            is_in_app: true,
            ..order(150)
        };
        assert_eq!(
            promo.discount(Money::usd(640), order(150)),
            Err(PromoError::AppOnly)
        );
        assert_eq!(promo.discount(Money::usd(640), in_app), Ok(Money::usd(300)));
    }

    #[test]
    fn a_code_for_a_weekday_names_its_days_on_others() {
        let promo = Promo {
            weekdays: [Weekday::Monday, Weekday::Friday].into_iter().collect(),
            ..promo(DiscountRule::Fixed(Money::usd(300)))
        };
        let error = promo.discount(Money::usd(640), order(150)).unwrap_err();
        assert_eq!(
            error.message(),
            "This promo code works only on Mondays and Fridays."
        );
        let friday = OrderContext {
            weekday: Weekday::Friday,
            ..order(150)
        };
        assert_eq!(promo.discount(Money::usd(640), friday), Ok(Money::usd(300)));
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
            let discount = promo.discount(Money::usd(subtotal), order(150)).unwrap().minor_units();
            prop_assert!(discount >= 0 && discount <= subtotal.max(0));
        }
    }
}
