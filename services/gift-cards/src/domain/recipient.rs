//! Who receives a gift card.

use std::fmt;

use types::text_enum;

const MAX_NAME_CHARS: usize = types::limits::MAX_NAME_CHARS;
const MIN_PHONE_DIGITS: usize = 8;
const MAX_PHONE_DIGITS: usize = 15;
const US_PHONE_DIGITS: usize = 10;

text_enum! {
    pub enum RecipientKind {
        /// The card is added to the buyer's wallet.
        Buyer = "self",
        Phone = "phone",
        Email = "email",
    }
}

/// Contains personal data: not shown by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient {
    pub kind: RecipientKind,
    /// Phone number in E.164 or email address; empty for the buyer.
    pub address: String,
    pub name: String,
}

impl fmt::Debug for Recipient {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Recipient").field(&self.kind).finish()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRecipient {
    #[error("the phone number is invalid")]
    Phone,
    #[error("the email address is invalid")]
    Email,
    #[error("the name is too long")]
    Name,
}

impl Recipient {
    #[must_use]
    pub const fn buyer() -> Self {
        Self {
            kind: RecipientKind::Buyer,
            address: String::new(),
            name: String::new(),
        }
    }

    /// Normalizes the address of a recipient.
    ///
    /// # Errors
    /// [`InvalidRecipient`]
    pub fn parse(kind: RecipientKind, address: &str, name: &str) -> Result<Self, InvalidRecipient> {
        let name = name.trim();
        if name.chars().count() > MAX_NAME_CHARS {
            return Err(InvalidRecipient::Name);
        }
        let address = match kind {
            RecipientKind::Buyer => String::new(),
            RecipientKind::Phone => parse_phone(address).ok_or(InvalidRecipient::Phone)?,
            RecipientKind::Email => parse_email(address).ok_or(InvalidRecipient::Email)?,
        };
        Ok(Self {
            kind,
            address,
            name: name.chars().filter(|character| !character.is_control()).collect(),
        })
    }
}

/// Returns the number in E.164. US numbers may omit the country.
fn parse_phone(text: &str) -> Option<String> {
    let text = text.trim();
    let is_written_well = text
        .chars()
        .all(|character| character.is_ascii_digit() || " +-().".contains(character));
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if !is_written_well {
        return None;
    }
    if text.starts_with('+') {
        return (MIN_PHONE_DIGITS..=MAX_PHONE_DIGITS)
            .contains(&digits.len())
            .then(|| format!("+{digits}"));
    }
    match digits.strip_prefix('1').unwrap_or(&digits) {
        local if local.len() == US_PHONE_DIGITS => Some(format!("+1{local}")),
        _ => None,
    }
}

fn parse_email(text: &str) -> Option<String> {
    let text = text.trim();
    let (local, domain) = text.rsplit_once('@')?;
    let is_valid = !local.is_empty()
        && domain.contains('.')
        && !domain.starts_with('.')
        && !domain.ends_with('.')
        && text.len() <= types::limits::MAX_EMAIL_BYTES
        && !text
            .chars()
            .any(|character| character.is_whitespace() || character.is_control());
    is_valid.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_normalized() {
        let phone = |text| Recipient::parse(RecipientKind::Phone, text, "").map(|it| it.address);
        assert_eq!(phone("(213) 555-0100").as_deref(), Ok("+12135550100"));
        assert_eq!(phone("+44 20 7946 0000").as_deref(), Ok("+442079460000"));
        for text in ["", "213555", "+1", "call me", "+1213555010012345"] {
            assert_eq!(phone(text), Err(InvalidRecipient::Phone), "{text}");
        }
        let email = |text| Recipient::parse(RecipientKind::Email, text, "").map(|it| it.address);
        assert_eq!(email(" sam@example.com ").as_deref(), Ok("sam@example.com"));
        for text in [
            "",
            "sam",
            "sam@",
            "@example.com",
            "sam@example",
            "a b@example.com",
        ] {
            assert_eq!(email(text), Err(InvalidRecipient::Email), "{text}");
        }
    }

    #[test]
    fn personal_data_is_not_shown() {
        let recipient = Recipient::parse(RecipientKind::Email, "sam@example.com", "Sam").unwrap();
        assert_eq!(format!("{recipient:?}"), "Recipient(Email)");
    }
}
