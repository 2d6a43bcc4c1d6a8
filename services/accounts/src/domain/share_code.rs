//! Share codes, with which consumers invite others.

use types::ConsumerId;

/// Longer codes are invalid.
const MAX_CHARS: usize = 16;

/// A share code and its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareCode {
    /// Normalized.
    pub code: String,
    pub consumer_id: ConsumerId,
    /// May be empty.
    pub first_name: String,
}

impl ShareCode {
    /// Returns a typed code in upper case, without whitespace and other characters that codes do not have. Returns `None`
    /// if nothing remains, or the code is too long.
    #[must_use]
    pub fn normalize(typed: &str) -> Option<String> {
        let code: String = typed
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .take(MAX_CHARS + 1)
            .collect();
        (1..=MAX_CHARS)
            .contains(&code.len())
            .then(|| code.to_ascii_uppercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_codes_are_normalized() {
        assert_eq!(ShareCode::normalize(" abcd-2345\0"), Some("ABCD2345".to_owned()));
        assert_eq!(ShareCode::normalize(" - "), None);
        assert_eq!(ShareCode::normalize(&"A".repeat(17)), None);
    }
}
