//! Phone numbers in E.164 format.

use std::{fmt, sync::Arc};

use phonenumber::{Mode, PhoneNumber, Type, country::Id, metadata::DATABASE};

/// Longer than any number with separators. The parser's time grows with the length.
const MAX_TYPED_CHARS: usize = 40;

/// A phone number that can get texts, for example `+14155550100`.
#[derive(Clone, PartialEq, Eq)]
pub struct Phone(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid phone number")]
pub struct InvalidPhone;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected countries like US,CA; found {0:?}")]
pub struct InvalidCountries(String);

/// Countries of accepted numbers.
#[derive(Debug, Clone)]
pub struct Countries {
    /// The country of numbers without a country code.
    default: Id,
    /// `None` for all countries.
    accepted: Option<Arc<[Id]>>,
}

impl Countries {
    /// All countries. Numbers without a country code are of the US.
    pub const ALL: Self = Self {
        default: Id::US,
        accepted: None,
    };

    /// Parses country codes of ISO 3166-1 that are separated by commas: `US,CA`. Numbers without a country code are of the first one.
    ///
    /// # Errors
    /// A country is unknown, or there is none.
    pub fn parse(list: &str) -> Result<Self, InvalidCountries> {
        let countries = list.split(',').map(str::trim).map(str::parse::<Id>);
        let countries: Result<Vec<Id>, _> = countries.collect();
        match countries.as_deref() {
            Ok(accepted @ [default, ..]) => Ok(Self {
                default: *default,
                accepted: Some(accepted.into()),
            }),
            _ => Err(InvalidCountries(list.to_owned())),
        }
    }

    fn accepts(&self, number: &PhoneNumber) -> bool {
        self.accepted
            .as_ref()
            .is_none_or(|accepted| number.country().id().is_some_and(|id| accepted.contains(&id)))
    }
}

/// Loads the metadata of all countries, which takes up to a second in a debug build. Otherwise the first call loads it.
pub fn load_metadata() {
    let _ = phonenumber::parse(Some(Id::US), "4155550100").map(|number| number.is_valid());
}

impl Phone {
    /// Parses a number as typed.
    ///
    /// # Errors
    /// The number is impossible, is not of one of the countries, or is of a type that gets no texts or costs extra.
    pub fn parse(typed: &str, countries: &Countries) -> Result<Self, InvalidPhone> {
        let typed = typed.trim();
        // The parser also accepts letters and extensions.
        let is_number =
            |c: char| c.is_ascii_digit() || matches!(c, '+' | ' ' | '-' | '.' | '(' | ')' | '\u{a0}');
        if typed.chars().count() > MAX_TYPED_CHARS || !typed.chars().all(is_number) {
            return Err(InvalidPhone);
        }
        let number = phonenumber::parse(Some(countries.default), typed).map_err(|_| InvalidPhone)?;
        if countries.accepts(&number) && number.is_valid() && can_get_texts(&number) {
            Ok(Self(number.format().mode(Mode::E164).to_string()))
        } else {
            Err(InvalidPhone)
        }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the first eight characters. Codes are limited per prefix, because SMS pumping uses ranges of numbers.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.0[..self.0.len().min(8)]
    }
}

fn can_get_texts(number: &PhoneNumber) -> bool {
    matches!(
        number.number_type(&DATABASE),
        Type::FixedLine | Type::Mobile | Type::FixedLineOrMobile | Type::Voip
    )
}

/// Omits the number, which is personal data.
impl fmt::Debug for Phone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Phone")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(typed: &str) -> Result<Phone, InvalidPhone> {
        Phone::parse(typed, &Countries::parse("US,CA").unwrap())
    }

    #[test]
    fn common_ways_of_writing_a_number_give_the_same_number() {
        for typed in [
            "4155550100",
            "(415) 555-0100",
            "415.555.0100",
            "1 415 555 0100",
            "+1 (415) 555-0100",
            " +14155550100 ",
        ] {
            assert_eq!(parse(typed).unwrap().as_str(), "+14155550100", "{typed}");
        }
    }

    #[test]
    fn invalid_numbers_are_rejected() {
        for typed in [
            "",
            "555",
            "0155550100",
            "4150550100",
            "+1415555010",
            "415555010x",
            "1-800-COFFEES",
            "4155550100;ext=12",
            "+",
            "+0123456789",
            "٤١٥٥٥٥٠١٠٠",
            &"4".repeat(1000),
        ] {
            assert_eq!(parse(typed), Err(InvalidPhone), "{typed}");
        }
    }

    #[test]
    fn only_numbers_of_the_configured_countries_are_accepted() {
        assert_eq!(parse("+1 613 555 0123").unwrap().as_str(), "+16135550123");
        // Jamaica shares the country code with the US and Canada.
        for foreign in ["+1 876 555 0123", "+49 30 901820", "+44 7911 123456"] {
            assert_eq!(parse(foreign), Err(InvalidPhone), "{foreign}");
        }
        let germany = Countries::parse(" DE ").unwrap();
        assert_eq!(
            Phone::parse("030 901820", &germany).unwrap().as_str(),
            "+4930901820"
        );
        assert_eq!(Phone::parse("+14155550100", &germany), Err(InvalidPhone));
        for list in ["", "US,", "USA", "US;CA"] {
            assert!(Countries::parse(list).is_err(), "{list}");
        }
    }

    #[test]
    fn numbers_of_all_countries_are_accepted_if_they_exist() {
        let parse = |typed: &str| Phone::parse(typed, &Countries::ALL);
        for (typed, expected) in [
            ("(213) 555-0100", "+12135550100"),
            ("+44 7400 123456", "+447400123456"),
            ("+49 30 901820", "+4930901820"),
        ] {
            assert_eq!(parse(typed).unwrap().as_str(), expected);
        }
        for impossible in [
            "(000) 000-0000",
            "1111111111",
            "+99 99999999",
            "+1 213 555 01",
            "+44 0000 000000",
        ] {
            assert_eq!(parse(impossible), Err(InvalidPhone), "{impossible}");
        }
    }

    #[test]
    fn numbers_that_get_no_texts_or_cost_extra_are_rejected() {
        for typed in ["+1 900 555 0123", "+1 800 555 0123", "+1 500 555 0006"] {
            assert_eq!(parse(typed), Err(InvalidPhone), "{typed}");
        }
    }

    proptest! {
        #[test]
        fn a_parsed_number_parses_to_itself(typed in "\\+?1?[2-9][0-9]{9}|\\PC{0,24}") {
            if let Ok(phone) = parse(&typed) {
                prop_assert_eq!(parse(phone.as_str()), Ok(phone));
            }
        }
    }
}
