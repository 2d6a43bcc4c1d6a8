//! Who receives a gift card.

use std::fmt;

use contacts::{Countries, Phone, clean_email};
use types::{limits::MAX_NAME_CHARS, text::sanitize_text_within, text_enum};

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

    /// Normalizes the address of a recipient. US phone numbers may omit the country. Control characters of the name are removed.
    ///
    /// # Errors
    /// [`InvalidRecipient`]
    pub fn parse(kind: RecipientKind, address: &str, name: &str) -> Result<Self, InvalidRecipient> {
        let name = sanitize_text_within(name, MAX_NAME_CHARS).ok_or(InvalidRecipient::Name)?;
        let address = match kind {
            RecipientKind::Buyer => String::new(),
            RecipientKind::Phone => Phone::parse(address, &Countries::ALL)
                .map(|phone| phone.as_str().to_owned())
                .map_err(|_| InvalidRecipient::Phone)?,
            RecipientKind::Email => clean_email(address).map_err(|_| InvalidRecipient::Email)?,
        };
        Ok(Self { kind, address, name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_normalized() {
        let phone = |text| Recipient::parse(RecipientKind::Phone, text, "").map(|it| it.address);
        assert_eq!(phone("(213) 555-0100").as_deref(), Ok("+12135550100"));
        assert_eq!(phone("+44 20 7946 0000").as_deref(), Ok("+442079460000"));
        for text in [
            "",
            "213555",
            "+1",
            "call me",
            "+1213555010012345",
            "(000) 000-0000",
            "1111111111",
            "+99 12345678",
            "+1 900 555 0123",
        ] {
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
            "sam@exa\u{200b}mple.com",
            "\u{202e}sam@example.com",
            "sam\u{7}@example.com",
        ] {
            assert_eq!(email(text), Err(InvalidRecipient::Email), "{text}");
        }
    }

    #[test]
    fn names_contain_no_control_characters() {
        let name = |text: &str| Recipient::parse(RecipientKind::Buyer, "", text).map(|it| it.name);
        assert_eq!(name(" Sam \u{202e}\u{7} Torres\n").as_deref(), Ok("Sam Torres"));
        assert_eq!(name("\u{200b}\u{2066}").as_deref(), Ok(""));
        assert_eq!(name(&"é".repeat(61)), Err(InvalidRecipient::Name));
    }

    #[test]
    fn personal_data_is_not_shown() {
        let recipient = Recipient::parse(RecipientKind::Email, "sam@example.com", "Sam").unwrap();
        assert_eq!(format!("{recipient:?}"), "Recipient(Email)");
    }
}
