//! Money as the contract writes it.

use proto::values::v1 as values;
use serde::{Deserialize, Serialize};
use types::Currency;
use utoipa::ToSchema;

/// An amount in minor units, and how many of them make one major unit: 1250 of 100 is $12.50.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Money {
    /// Minor units (cents).
    pub currency_amount: i64,
    /// Minor units in one major unit.
    #[serde(default = "cents")]
    #[schema(required)]
    pub currency_fraction: i64,
    /// ISO 4217, lower case.
    #[serde(default = "usd")]
    #[schema(required)]
    pub currency: String,
}

fn cents() -> i64 {
    Currency::Usd.fraction()
}

fn usd() -> String {
    Currency::Usd.code().to_owned()
}

impl From<values::Money> for Money {
    fn from(money: values::Money) -> Self {
        let fraction = money.currency.parse::<Currency>().unwrap_or_default().fraction();
        Self {
            currency_amount: money.minor_units,
            currency_fraction: fraction,
            currency: money.currency,
        }
    }
}

/// Services always fill the amounts of their answers; an absent one is nothing, in dollars.
impl From<Option<values::Money>> for Money {
    fn from(money: Option<values::Money>) -> Self {
        money
            .unwrap_or_else(|| values::Money {
                minor_units: 0,
                currency: usd(),
            })
            .into()
    }
}

impl From<Money> for values::Money {
    fn from(money: Money) -> Self {
        Self {
            minor_units: money.currency_amount,
            currency: money.currency,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_how_many_minor_units_make_one() {
        let money = Money::from(values::Money {
            minor_units: 1250,
            currency: "usd".into(),
        });
        assert_eq!(
            serde_json::to_string(&money).unwrap(),
            r#"{"currencyAmount":1250,"currencyFraction":100,"currency":"usd"}"#
        );
    }
}
