use lettre::Address;
use types::{limits::MAX_EMAIL_BYTES, text::is_invisible};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid email address")]
pub struct InvalidEmail;

/// Trims an email address and checks its format, as the sender of emails does.
///
/// # Errors
/// The address has no local part or no domain, is too long, or contains characters that cannot be seen: it would look like another
/// address.
pub fn clean_email(typed: &str) -> Result<String, InvalidEmail> {
    let email = typed.trim();
    // Excludes addresses of hosts: a domain is a name with a dot.
    let has_domain = email
        .rsplit_once('@')
        .is_some_and(|(_, domain)| domain.contains('.') && !domain.starts_with('['));
    let has_valid_characters = !email.contains(|c: char| c.is_whitespace() || is_invisible(c));
    let is_valid = has_domain
        && has_valid_characters
        && email.len() <= MAX_EMAIL_BYTES
        && email.parse::<Address>().is_ok();
    is_valid.then(|| email.to_owned()).ok_or(InvalidEmail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn email_addresses_need_a_local_part_and_a_domain() {
        assert_eq!(
            clean_email(" maya@example.com "),
            Ok("maya@example.com".to_owned())
        );
        for valid in [
            "maya+coffee@mail.example.co.uk",
            "o'neil_1@example.com",
            "zoë@example.com",
        ] {
            assert_eq!(clean_email(valid), Ok(valid.to_owned()));
        }
        for typed in [
            "",
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

    #[test]
    fn characters_that_cannot_be_seen_are_rejected() {
        for invisible in [
            '\0',
            '\u{7f}',
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200d}',
            '\u{200e}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{e0001}',
        ] {
            for typed in [
                format!("ma{invisible}ya@example.com"),
                format!("maya@exam{invisible}ple.com"),
                format!("maya@example.com{invisible}"),
            ] {
                assert_eq!(clean_email(&typed), Err(InvalidEmail), "{typed:?}");
            }
        }
    }
}
