//! Phone numbers in E.164 format.

use std::fmt;

/// A phone number, for example `+14155550100`.
#[derive(Clone, PartialEq, Eq)]
pub struct Phone(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid phone number")]
pub struct InvalidPhone;

impl Phone {
    /// Parses a number as typed: US numbers with or without country code, other numbers with `+`.
    pub fn parse(typed: &str) -> Result<Self, InvalidPhone> {
        let typed = typed.trim();
        if typed
            .chars()
            .any(|c| !c.is_ascii_digit() && !matches!(c, '+' | ' ' | '-' | '.' | '(' | ')' | '\u{a0}'))
        {
            return Err(InvalidPhone);
        }
        let digits: String = typed.chars().filter(char::is_ascii_digit).collect();
        let national = match (typed.starts_with('+'), digits.len()) {
            (false, 10) => digits.as_str(),
            (_, 11) if digits.starts_with('1') => &digits[1..],
            (true, 8..=15) if !digits.starts_with(['0', '1']) => return Ok(Self(format!("+{digits}"))),
            _ => return Err(InvalidPhone),
        };
        // In the North American Numbering Plan, area codes and exchange codes start with 2 to 9.
        let starts_with_0_or_1 = |at: usize| matches!(national.as_bytes()[at], b'0' | b'1');
        if starts_with_0_or_1(0) || starts_with_0_or_1(3) {
            return Err(InvalidPhone);
        }
        Ok(Self(format!("+1{national}")))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the first eight characters, for the limit against SMS pumping to neighboring numbers.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.0[..self.0.len().min(8)]
    }
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
            assert_eq!(Phone::parse(typed).unwrap().as_str(), "+14155550100", "{typed}");
        }
        assert_eq!(Phone::parse("+49 30 901820").unwrap().as_str(), "+4930901820");
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
            "+",
            "+0123456789",
            "٤١٥٥٥٥٠١٠٠",
        ] {
            assert_eq!(Phone::parse(typed), Err(InvalidPhone), "{typed}");
        }
    }

    proptest! {
        #[test]
        fn a_parsed_number_parses_to_itself(typed in "\\PC{0,24}") {
            if let Ok(phone) = Phone::parse(&typed) {
                prop_assert_eq!(Phone::parse(phone.as_str()), Ok(phone));
            }
        }
    }
}
