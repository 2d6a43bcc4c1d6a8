//! Phone numbers in E.164 format, limited to configured countries.

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

/// Countries with sign-in by phone number. The first one applies to numbers without a country code.
#[derive(Debug, Clone)]
pub struct Countries(Arc<[Id]>);

impl Countries {
    /// Parses country codes of ISO 3166-1 that are separated by commas: `US,CA`.
    ///
    /// # Errors
    /// A country is unknown, or there is none.
    pub fn parse(list: &str) -> anyhow::Result<Self> {
        let invalid = || {
            anyhow::anyhow!(
                "bad configuration: SIGN_IN_COUNTRIES: expected countries like US,CA; found {list:?}"
            )
        };
        let countries = list.split(',').map(str::trim).map(str::parse::<Id>);
        let countries: Vec<Id> = countries.collect::<Result<_, _>>().map_err(|_| invalid())?;
        anyhow::ensure!(!countries.is_empty(), invalid());
        Ok(Self(countries.into()))
    }
}

/// Loads the metadata of all countries, which takes up to a second in a debug build. Otherwise the first call loads it.
pub fn load_metadata() {
    let _ = phonenumber::parse(Some(Id::US), "4155550100").map(|number| number.is_valid());
}

impl Phone {
    /// Parses a number as typed. Numbers of the first country may omit the country code.
    ///
    /// # Errors
    /// The number is not assigned to one of the countries, or is of a type that gets no texts or costs extra.
    pub fn parse(typed: &str, countries: &Countries) -> Result<Self, InvalidPhone> {
        let typed = typed.trim();
        // The parser also accepts letters and extensions.
        let is_number =
            |c: char| c.is_ascii_digit() || matches!(c, '+' | ' ' | '-' | '.' | '(' | ')' | '\u{a0}');
        if typed.chars().count() > MAX_TYPED_CHARS || !typed.chars().all(is_number) {
            return Err(InvalidPhone);
        }
        let default_country = countries.0.first().copied();
        let number = phonenumber::parse(default_country, typed).map_err(|_| InvalidPhone)?;
        let is_accepted = number.country().id().is_some_and(|id| countries.0.contains(&id));
        if is_accepted && number.is_valid() && can_get_texts(&number) {
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
