use types::Money;

use super::weekdays::Weekdays;

/// Why a promo code does not apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromoError {
    /// There is no such code, or it is not valid yet.
    Unknown,
    /// The consumer has used it as often as it allows.
    Used {
        max_claims: i64,
    },
    /// The consumer has tried too many wrong codes.
    TooManyAttempts,
    /// It expired, or its number of claims is reached.
    Expired,
    /// It applies only at the stores of another company.
    NotValidHere {
        company_name: String,
        is_reward: bool,
    },
    BelowMinimum {
        min_subtotal: Money,
    },
    /// The order is not placed in the native app.
    AppOnly,
    /// The consumer has ordered in the native app before.
    NotFirstAppOrder,
    WrongDay {
        weekdays: Weekdays,
    },
    /// A reward applies to drinks only.
    NoDrink,
    NotEnoughPoints,
}

impl PromoError {
    /// Returns the stable reason code.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Unknown => "PROMO_UNKNOWN",
            Self::Used { .. } => "PROMO_USED",
            Self::TooManyAttempts => "PROMO_TOO_MANY_ATTEMPTS",
            Self::Expired => "PROMO_EXPIRED",
            Self::NotValidHere { .. } => "PROMO_NOT_VALID_HERE",
            Self::BelowMinimum { .. } => "PROMO_MINIMUM",
            Self::AppOnly => "PROMO_APP_ONLY",
            Self::NotFirstAppOrder => "PROMO_NOT_FIRST_ORDER",
            Self::WrongDay { .. } => "PROMO_WRONG_DAY",
            Self::NoDrink => "REWARD_NO_DRINK",
            Self::NotEnoughPoints => "REWARD_NOT_ENOUGH_POINTS",
        }
    }

    /// Returns the text for the consumer.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Unknown => "That promo code isn't valid.".to_owned(),
            Self::Used { max_claims: 1 } => "You've already used this promo code.".to_owned(),
            Self::Used { max_claims } => {
                format!("You've already used this promo code {max_claims} times, which is the limit.")
            }
            Self::TooManyAttempts => {
                "You've tried too many promo codes. Please try again in an hour.".to_owned()
            }
            Self::Expired => "This promo code has expired.".to_owned(),
            Self::NotValidHere {
                company_name,
                is_reward: true,
            } => format!("This reward works only at {company_name}."),
            Self::NotValidHere { company_name, .. } => {
                format!("This promo code works only at {company_name}.")
            }
            Self::BelowMinimum { min_subtotal } => {
                format!("Spend {min_subtotal} or more to use this promo code.")
            }
            Self::AppOnly => "This promo code works only in the app.".to_owned(),
            Self::NotFirstAppOrder => "This promo code is for your first order in the app.".to_owned(),
            Self::NoDrink => "Rewards are for drinks. Add one to use yours.".to_owned(),
            Self::NotEnoughPoints => "You don't have enough points for this reward yet.".to_owned(),
            Self::WrongDay { weekdays } => format!("This promo code works only on {weekdays}."),
        }
    }
}
