//! Names and email addresses as typed by consumers.

use lettre::Address;
use types::limits::{MAX_EMAIL_BYTES, MAX_NAME_CHARS};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid name")]
pub struct InvalidName;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid email address")]
pub struct InvalidEmail;

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

pub(super) fn is_control(c: char) -> bool {
    c.is_control() || is_bidi_control(c)
}

fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Trims an email address and checks its format, as the sender of emails does. An empty address is valid and means none.
pub fn clean_email(typed: &str) -> Result<String, InvalidEmail> {
    let email = typed.trim();
    // Excludes addresses of hosts: a domain is a name with a dot.
    let has_domain = email
        .rsplit_once('@')
        .is_some_and(|(_, domain)| domain.contains('.') && !domain.starts_with('['));
    let has_valid_characters = !email.contains(|c: char| c.is_whitespace() || c.is_control());
    let is_valid = has_domain
        && has_valid_characters
        && email.len() <= MAX_EMAIL_BYTES
        && email.parse::<Address>().is_ok();
    if email.is_empty() || is_valid {
        Ok(email.to_owned())
    } else {
        Err(InvalidEmail)
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
    fn email_addresses_need_a_local_part_and_a_domain() {
        assert_eq!(
            clean_email(" maya@example.com "),
            Ok("maya@example.com".to_owned())
        );
        assert_eq!(clean_email(""), Ok(String::new()));
        for valid in [
            "maya+coffee@mail.example.co.uk",
            "o'neil_1@example.com",
            "zoë@example.com",
        ] {
            assert_eq!(clean_email(valid), Ok(valid.to_owned()));
        }
        for typed in [
            "maya",
            "@example.com",
            "maya@example",
            "ma ya@example.com",
            "maya@.com",
            "maya@example..com",
            "maya@-example.com",
            "maya@[127.0.0.1]",
            "<maya@example.com>",
            "maya@example.com>",
            "maya\"@example.com",
            "maya;eve@example.com",
            ".maya@example.com",
        ] {
            assert_eq!(clean_email(typed), Err(InvalidEmail), "{typed}");
        }
    }
}
