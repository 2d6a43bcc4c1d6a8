//! Money as the API writes it.

use proto::values::v1 as values;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};
use types::Currency;
use utoipa::ToSchema;

use super::enums::UnknownValue;

/// An amount in minor units, and the number of minor units in one major unit: 1250 with a fraction of 100 is $12.50.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Money {
    /// Minor units (cents).
    pub(crate) currency_amount: i64,
    /// Minor units in one major unit.
    #[serde(default = "default_fraction", deserialize_with = "deserialize_fraction")]
    #[schema(required)]
    pub(crate) currency_fraction: i64,
    /// ISO 4217, lower case.
    #[serde(default = "default_currency")]
    #[schema(required)]
    pub(crate) currency: String,
}

fn default_fraction() -> i64 {
    Currency::Usd.fraction()
}

/// Rejects other fractions, with which the amount would be a different sum.
fn deserialize_fraction<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    let fraction = i64::deserialize(deserializer)?;
    if fraction == default_fraction() {
        return Ok(fraction);
    }
    Err(D::Error::invalid_value(Unexpected::Signed(fraction), &"100"))
}

fn default_currency() -> String {
    Currency::Usd.code().to_owned()
}

/// Returns an amount of US cents.
pub(crate) fn cents(amount: i64) -> values::Money {
    values::Money {
        minor_units: amount,
        currency: default_currency(),
    }
}

impl TryFrom<values::Money> for Money {
    type Error = UnknownValue;

    fn try_from(money: values::Money) -> Result<Self, UnknownValue> {
        let currency: Currency = money.currency.parse().map_err(|_| UnknownValue("currency"))?;
        Ok(Self {
            currency_amount: money.minor_units,
            currency_fraction: currency.fraction(),
            currency: money.currency,
        })
    }
}

/// An absent amount is zero dollars.
impl TryFrom<Option<values::Money>> for Money {
    type Error = UnknownValue;

    fn try_from(money: Option<values::Money>) -> Result<Self, UnknownValue> {
        money.map_or_else(
            || {
                Ok(Self {
                    currency_amount: 0,
                    currency_fraction: default_fraction(),
                    currency: default_currency(),
                })
            },
            Self::try_from,
        )
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

    fn money(currency: &str) -> values::Money {
        values::Money {
            minor_units: 1250,
            currency: currency.into(),
        }
    }

    #[test]
    fn is_written_with_its_fraction() {
        let money = Money::try_from(money("usd")).unwrap();
        assert_eq!(
            serde_json::to_string(&money).unwrap(),
            r#"{"currencyAmount":1250,"currencyFraction":100,"currency":"usd"}"#
        );
    }

    #[test]
    fn an_amount_with_another_fraction_is_rejected() {
        let parse = |text: &str| serde_json::from_str::<Money>(text);
        assert!(parse(r#"{"currencyAmount":462,"currencyFraction":100,"currency":"usd"}"#).is_ok());
        for fraction in [0, 1, 1000] {
            let text = format!(r#"{{"currencyAmount":462,"currencyFraction":{fraction},"currency":"usd"}}"#);
            assert!(parse(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_unknown_currency_is_an_error() {
        assert!(Money::try_from(money("xxx")).is_err());
    }
}
