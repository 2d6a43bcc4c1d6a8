//! Random codes and tokens, and the hashes that are stored of them.

use hmac::{Hmac, KeyInit, Mac};
use rand::RngExt;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use types::limits::SIGN_IN_CODE_DIGITS;

/// Key for hashes of values that are short enough to guess: codes, phone numbers, email addresses, device ids.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

/// Kind of value that is hashed. Equal values of different kinds have different hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HashPurpose {
    Code,
    Device,
    Phone,
    Email,
    StopNotifications,
}

impl HashPurpose {
    const fn label(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Device => "device",
            Self::Phone => "phone",
            Self::Email => "email",
            Self::StopNotifications => "stop notifications",
        }
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Secret")
    }
}

impl Secret {
    /// # Errors
    /// The secret is shorter than 32 bytes.
    pub fn new(secret: &SecretString) -> anyhow::Result<Self> {
        let bytes = secret.expose_secret().as_bytes();
        anyhow::ensure!(
            bytes.len() >= 32,
            "bad configuration: ACCOUNTS_SECRET: expected at least 32 bytes"
        );
        Ok(Self(bytes.to_vec()))
    }

    #[must_use]
    pub fn hash(&self, purpose: HashPurpose, value: &str) -> Vec<u8> {
        self.mac(purpose, value).finalize().into_bytes().to_vec()
    }

    /// Compares a value with a hash in constant time.
    #[must_use]
    pub fn matches(&self, purpose: HashPurpose, value: &str, hash: &[u8]) -> bool {
        self.mac(purpose, value).verify_slice(hash).is_ok()
    }

    /// Compares a value with the first bytes of a hash in constant time.
    #[must_use]
    pub fn matches_truncated(&self, purpose: HashPurpose, value: &str, start_of_hash: &[u8]) -> bool {
        self.mac(purpose, value)
            .verify_truncated_left(start_of_hash)
            .is_ok()
    }

    fn mac(&self, purpose: HashPurpose, value: &str) -> Hmac<Sha256> {
        #[expect(clippy::expect_used, reason = "HMAC accepts keys of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length");
        mac.update(purpose.label().as_bytes());
        mac.update(&[0]);
        mac.update(value.as_bytes());
        mac
    }
}

#[must_use]
pub fn new_code(random: &mut impl rand::Rng) -> String {
    (0..SIGN_IN_CODE_DIGITS)
        .map(|_| char::from(random.random_range(b'0'..=b'9')))
        .collect()
}

/// Hash of the key in the native app.
#[derive(Clone)]
pub struct AppKey(Vec<u8>);

impl std::fmt::Debug for AppKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("AppKey")
    }
}

impl AppKey {
    /// Returns `None` without a key. A variable that is not set may be passed to the process as an empty string.
    ///
    /// # Errors
    /// The key is shorter than 32 bytes.
    pub fn from_setting(key: Option<&SecretString>) -> anyhow::Result<Option<Self>> {
        let Some(key) = key.map(ExposeSecret::expose_secret).filter(|key| !key.is_empty()) else {
            return Ok(None);
        };
        anyhow::ensure!(
            key.len() >= 32,
            "bad configuration: NATIVE_APP_KEY: expected at least 32 bytes"
        );
        Ok(Some(Self(token_hash(key))))
    }

    /// Compares hashes, so that the time of the comparison does not reveal the key.
    #[must_use]
    pub fn matches(&self, key: &str) -> bool {
        self.0 == token_hash(key)
    }
}

/// Returns 256 random bits in hexadecimal.
#[must_use]
pub fn new_token(random: &mut impl rand::Rng) -> String {
    hex::encode(random.random::<[u8; 32]>())
}

/// Returns eight letters and digits, without characters that look alike.
#[must_use]
pub fn new_share_code(random: &mut impl rand::Rng) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";
    (0..8)
        .map(|_| char::from(ALPHABET[random.random_range(0..ALPHABET.len())]))
        .collect()
}

/// Hashes a token without a key: 256 random bits cannot be guessed.
#[must_use]
pub fn token_hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_matches_only_its_value_purpose_and_key() {
        let secret = |text: &str| Secret::new(&SecretString::from(text)).unwrap();
        let own = secret("0123456789abcdef0123456789abcdef");
        let hash = own.hash(HashPurpose::Code, "123456");
        assert!(own.matches(HashPurpose::Code, "123456", &hash));
        assert!(!own.matches(HashPurpose::Phone, "123456", &hash));
        assert!(!own.matches(HashPurpose::Code, "123457", &hash));
        let other = secret("another-secret-another-secret-00");
        assert!(!other.matches(HashPurpose::Code, "123456", &hash));
    }

    #[test]
    fn an_app_key_is_optional_and_long() {
        let app_key = |text: &str| AppKey::from_setting(Some(&SecretString::from(text)));
        assert!(AppKey::from_setting(None).unwrap().is_none() && app_key("").unwrap().is_none());
        assert!(app_key("short").is_err());
        let key = app_key("0123456789abcdef0123456789abcdef").unwrap().unwrap();
        assert!(key.matches("0123456789abcdef0123456789abcdef"));
        assert!(!key.matches("") && !key.matches("0123456789abcdef0123456789abcdeg"));
    }

    #[test]
    fn codes_have_six_digits() {
        let mut random = rand::rng();
        for _ in 0..1000 {
            let code = new_code(&mut random);
            assert!(code.len() == 6 && code.bytes().all(|digit| digit.is_ascii_digit()));
        }
    }
}
