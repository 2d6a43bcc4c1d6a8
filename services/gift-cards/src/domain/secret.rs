//! Codes and PINs, and the keyed hashes that are stored of them.

use hmac::{Hmac, KeyInit, Mac};
use rand::RngExt;
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use types::{GiftCardId, StoreId, limits::COUNTER_PIN_DIGITS};

/// Crockford's base 32: no I, L, O and U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// 80 bits.
const CODE_BYTES: usize = 10;
const CODE_CHARS: usize = 16;
const GROUP_CHARS: usize = 4;

/// Key of the hashes, and of the codes of gift cards.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Secret")
    }
}

/// The code of a gift card: 16 characters of Crockford's base 32, upper case, without hyphens.
#[derive(Clone, PartialEq, Eq)]
pub struct GiftCode(String);

impl std::fmt::Debug for GiftCode {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("GiftCode")
    }
}

impl GiftCode {
    /// Parses a code as people type it: in lower case, with spaces or hyphens, with letters that look like digits.
    ///
    /// Returns `None` if it cannot be a code.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let code: String = text
            .chars()
            .filter(|character| !character.is_whitespace() && *character != '-')
            .map(|character| match character.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                other => other,
            })
            .collect();
        let is_valid =
            code.chars().count() == CODE_CHARS && code.bytes().all(|character| ALPHABET.contains(&character));
        is_valid.then_some(Self(code))
    }

    /// Returns the code in groups: `AB12-CD34-EF56-GH78`.
    #[must_use]
    pub fn grouped(&self) -> String {
        let groups: Vec<&str> = (0..CODE_CHARS)
            .step_by(GROUP_CHARS)
            .map(|start| &self.0[start..start + GROUP_CHARS])
            .collect();
        groups.join("-")
    }

    /// Returns the last characters, which identify the card for its owner.
    #[must_use]
    pub fn suffix(&self) -> &str {
        &self.0[CODE_CHARS - GROUP_CHARS..]
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let number = bytes
            .iter()
            .take(CODE_BYTES)
            .fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
        let characters = (0..CODE_CHARS).rev().map(|position| {
            let index = usize::try_from(number >> (5 * position) & 31).unwrap_or_default();
            char::from(ALPHABET[index])
        });
        Self(characters.collect())
    }
}

impl Secret {
    /// # Errors
    /// The secret is shorter than 32 bytes.
    pub fn new(secret: &SecretString) -> anyhow::Result<Self> {
        let bytes = secret.expose_secret().as_bytes();
        anyhow::ensure!(
            bytes.len() >= 32,
            "bad configuration: GIFT_CARDS_SECRET: expected at least 32 bytes"
        );
        Ok(Self(bytes.to_vec()))
    }

    /// Derives the code of a gift card, so that it is not stored and can still be sent after a crash. Without the secret,
    /// its 80 bits are random.
    #[must_use]
    pub fn gift_code(&self, gift_card_id: GiftCardId) -> GiftCode {
        GiftCode::from_bytes(&self.mac("derive-code", gift_card_id.uuid().as_bytes()))
    }

    #[must_use]
    pub fn code_hash(&self, code: &GiftCode) -> Vec<u8> {
        self.mac("code", code.0.as_bytes())
    }

    /// Hashes the PIN of a physical card.
    #[must_use]
    pub fn card_pin_hash(&self, gift_card_id: GiftCardId, pin: &str) -> Vec<u8> {
        self.mac(
            "card-pin",
            &[gift_card_id.uuid().as_bytes(), pin.trim().as_bytes()].concat(),
        )
    }

    /// Hashes a PIN for the counter of a store.
    #[must_use]
    pub fn counter_pin_hash(&self, store_id: StoreId, pin: &str) -> Vec<u8> {
        self.mac(
            "counter-pin",
            &[store_id.uuid().as_bytes(), pin.as_bytes()].concat(),
        )
    }

    fn mac(&self, purpose: &str, value: &[u8]) -> Vec<u8> {
        #[expect(clippy::expect_used, reason = "HMAC accepts keys of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length");
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(value);
        mac.finalize().into_bytes().to_vec()
    }
}

#[must_use]
pub fn new_counter_pin(random: &mut impl rand::Rng) -> String {
    (0..COUNTER_PIN_DIGITS)
        .map(|_| char::from(random.random_range(b'0'..=b'9')))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    fn secret(text: &str) -> Secret {
        Secret::new(&SecretString::from(text)).unwrap()
    }

    #[test]
    fn codes_depend_on_the_card_and_the_secret() {
        let (one, other) = (
            secret("0123456789abcdef0123456789abcdef"),
            secret("another-secret-another-secret-00"),
        );
        let (card, second) = (
            GiftCardId::new(Timestamp::UNIX_EPOCH),
            GiftCardId::new(Timestamp::UNIX_EPOCH),
        );
        assert_eq!(one.gift_code(card), one.gift_code(card));
        assert_ne!(one.gift_code(card), one.gift_code(second));
        assert_ne!(one.gift_code(card), other.gift_code(card));
        let code = one.gift_code(card);
        assert_eq!(GiftCode::parse(&code.grouped()), Some(code.clone()));
        assert!(code.grouped().ends_with(code.suffix()));
        assert_ne!(one.code_hash(&code), other.code_hash(&code));
        assert_eq!(format!("{code:?}"), "GiftCode");
    }

    #[test]
    fn typed_codes_are_normalized() {
        let code = GiftCode::parse("ab12 cd34-ef56-gh7o").unwrap();
        assert_eq!(code.grouped(), "AB12-CD34-EF56-GH70");
        for text in [
            "",
            "AB12-CD34-EF56-GH7",
            "AB12-CD34-EF56-GH7U",
            "AB12-CD34-EF56-GH7é",
        ] {
            assert_eq!(GiftCode::parse(text), None, "{text}");
        }
    }

    #[test]
    fn all_bits_of_a_code_are_used() {
        assert_eq!(GiftCode::from_bytes(&[0; 10]).grouped(), "0000-0000-0000-0000");
        assert_eq!(GiftCode::from_bytes(&[255; 10]).grouped(), "ZZZZ-ZZZZ-ZZZZ-ZZZZ");
    }
}
