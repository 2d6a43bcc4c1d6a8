//! Names and email addresses as typed by consumers.

use contacts::{InvalidEmail, clean_email};
use types::{limits::MAX_NAME_CHARS, text::is_control};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid name")]
pub struct InvalidName;

/// Trims a name and joins its words with single spaces.
///
/// Rejects names without a letter or digit, names that are too long, and names with control or bidirectional formatting
/// characters, which could disturb the barista's screen.
pub fn clean_name(typed: &str) -> Result<String, InvalidName> {
    let name = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_readable = name.chars().any(char::is_alphanumeric) && !name.chars().any(is_control);
    if !is_readable || name.chars().count() > MAX_NAME_CHARS {
        return Err(InvalidName);
    }
    Ok(name)
}

/// Cleans an email address. An empty one is valid and means none.
pub fn clean_optional_email(typed: &str) -> Result<String, InvalidEmail> {
    match typed.trim() {
        "" => Ok(String::new()),
        typed => clean_email(typed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_limited_in_length_and_characters() {
        assert_eq!(clean_name("  Maya  Torres "), Ok("Maya Torres".to_owned()));
        assert_eq!(clean_name(" \t"), Err(InvalidName));
        assert_eq!(clean_name(&"x".repeat(61)), Err(InvalidName));
        assert_eq!(clean_name("a\u{7}b"), Err(InvalidName));
        for unreadable in ["\u{200b}", "\u{301}", "\u{202e}ayaM", "…"] {
            assert_eq!(clean_name(unreadable), Err(InvalidName), "{unreadable:?}");
        }
        assert_eq!(clean_name("Zoë 明 🦄"), Ok("Zoë 明 🦄".to_owned()));
    }

    #[test]
    fn an_email_address_can_be_left_out() {
        assert_eq!(clean_optional_email(" "), Ok(String::new()));
        assert_eq!(
            clean_optional_email(" maya@example.com "),
            Ok("maya@example.com".to_owned())
        );
        assert_eq!(clean_optional_email("maya"), Err(InvalidEmail));
    }
}
