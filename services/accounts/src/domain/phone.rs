//! Phone numbers in E.164.

use std::fmt;

/// A phone number: `+14155550100`.
#[derive(Clone, PartialEq, Eq)]
pub struct Phone(String);

/// Not a number that messages can be sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a phone number")]
pub struct NotAPhone;

impl Phone {
    /// Reads what people type: US numbers with or without the country, others with `+`.
    ///
    /// # Errors
    /// [`NotAPhone`].
    pub fn parse(typed: &str) -> Result<Self, NotAPhone> {
        let typed = typed.trim();
        if typed
            .chars()
            .any(|c| !c.is_ascii_digit() && !matches!(c, '+' | ' ' | '-' | '.' | '(' | ')' | '\u{a0}'))
        {
            return Err(NotAPhone);
        }
        let digits: String = typed.chars().filter(char::is_ascii_digit).collect();
        let national = match (typed.starts_with('+'), digits.len()) {
            (false, 10) => digits.as_str(),
            (_, 11) if digits.starts_with('1') => &digits[1..],
            (true, 8..=15) if !digits.starts_with(['0', '1']) => return Ok(Self(format!("+{digits}"))),
            _ => return Err(NotAPhone),
        };
        // Neither area codes nor exchanges of the North American plan start with 0 or 1.
        let begins_well = |at: usize| !matches!(national.as_bytes()[at], b'0' | b'1');
        if begins_well(0) && begins_well(3) {
            Ok(Self(format!("+1{national}")))
        } else {
            Err(NotAPhone)
        }
    }

    /// In E.164.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What neighbouring numbers share; for caps against pumping messages.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.0[..self.0.len().min(8)]
    }
}

/// Never the number: it is personal.
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
    fn reads_what_people_type() {
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
    fn refuses_what_is_none() {
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
            assert_eq!(Phone::parse(typed), Err(NotAPhone), "{typed}");
        }
    }

    proptest! {
        #[test]
        fn what_was_read_reads_the_same_again(typed in "\\PC{0,24}") {
            if let Ok(phone) = Phone::parse(&typed) {
                prop_assert_eq!(Phone::parse(phone.as_str()), Ok(phone));
            }
        }
    }
}
