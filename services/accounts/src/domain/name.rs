//! What consumers are called.

const LONGEST: usize = 60;

/// A name that cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a name")]
pub struct NotAName;

/// Trims a name; refuses an over-long one, one with nothing to read in it, and characters that steer what stands beside
/// it: a barista's screen shows it.
///
/// # Errors
/// [`NotAName`].
pub fn clean(typed: &str) -> Result<String, NotAName> {
    let name = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    let readable = name.chars().any(char::is_alphanumeric) && !name.chars().any(steers);
    if !readable || name.chars().count() > LONGEST {
        return Err(NotAName);
    }
    Ok(name)
}

/// Control characters, and those that turn the direction of the text around them.
fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// An email address as far as it can be told without writing to it; an empty one is none.
///
/// # Errors
/// [`NotAName`].
pub fn clean_email(typed: &str) -> Result<String, NotAName> {
    let email = typed.trim();
    let plausible = email.split_once('@').is_some_and(|(who, host)| {
        !who.is_empty() && host.contains('.') && !host.starts_with('.') && !host.ends_with('.')
    });
    let clean = email.len() <= 254 && !email.contains(|c: char| c.is_whitespace() || c.is_control());
    if email.is_empty() || (plausible && clean) {
        Ok(email.to_owned())
    } else {
        Err(NotAName)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_bounded() {
        assert_eq!(clean("  Maya  Torres "), Ok("Maya Torres".to_owned()));
        assert_eq!(clean(" \t"), Err(NotAName));
        assert_eq!(clean(&"x".repeat(61)), Err(NotAName));
        assert_eq!(clean("a\u{7}b"), Err(NotAName));
        for unreadable in ["\u{200b}", "\u{301}", "\u{202e}ayaM", "…"] {
            assert_eq!(clean(unreadable), Err(NotAName), "{unreadable:?}");
        }
        assert_eq!(clean("Zoë 明 🦄"), Ok("Zoë 明 🦄".to_owned()));
    }

    #[test]
    fn emails_look_like_emails() {
        assert_eq!(
            clean_email(" maya@example.com "),
            Ok("maya@example.com".to_owned())
        );
        assert_eq!(clean_email(""), Ok(String::new()));
        for typed in [
            "maya",
            "@example.com",
            "maya@example",
            "ma ya@example.com",
            "maya@.com",
        ] {
            assert_eq!(clean_email(typed), Err(NotAName), "{typed}");
        }
    }
}
