//! Codes and tokens: made at random, kept as hashes.

use hmac::{Hmac, KeyInit, Mac};
use rand::RngExt;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

/// Keys the hashes of what is short enough to be guessed: codes, phone numbers, device ids.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Secret")
    }
}

impl Secret {
    /// A key of at least 32 bytes.
    ///
    /// # Errors
    /// A shorter one.
    pub fn new(secret: &SecretString) -> anyhow::Result<Self> {
        let bytes = secret.expose_secret().as_bytes();
        anyhow::ensure!(
            bytes.len() >= 32,
            "bad configuration: ACCOUNTS_SECRET: expected at least 32 bytes"
        );
        Ok(Self(bytes.to_vec()))
    }

    /// The keyed hash of something, for one purpose.
    #[must_use]
    pub fn hash(&self, purpose: &str, what: &str) -> Vec<u8> {
        self.mac(purpose, what).finalize().into_bytes().to_vec()
    }

    /// Whether a hash is that of something; takes the same time either way.
    #[must_use]
    pub fn matches(&self, purpose: &str, what: &str, hash: &[u8]) -> bool {
        self.mac(purpose, what).verify_slice(hash).is_ok()
    }

    fn mac(&self, purpose: &str, what: &str) -> Hmac<Sha256> {
        #[expect(clippy::expect_used, reason = "HMAC takes keys of every length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length");
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(what.as_bytes());
        mac
    }
}

/// Six digits.
#[must_use]
pub fn new_code(random: &mut impl rand::Rng) -> String {
    format!("{:06}", random.random_range(0..1_000_000))
}

/// 256 random bits, as text.
#[must_use]
pub fn new_token(random: &mut impl rand::Rng) -> String {
    hex::encode(random.random::<[u8; 32]>())
}

/// Eight characters that are told apart when read aloud.
#[must_use]
pub fn new_share_code(random: &mut impl rand::Rng) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";
    (0..8)
        .map(|_| char::from(LETTERS[random.random_range(0..LETTERS.len())]))
        .collect()
}

/// The hash of a token. It is long enough not to need a key.
#[must_use]
pub fn token_hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_for_one_purpose_and_one_key() {
        let secret = |text: &str| Secret::new(&SecretString::from(text)).unwrap();
        let own = secret("0123456789abcdef0123456789abcdef");
        let hash = own.hash("code", "123456");
        assert!(own.matches("code", "123456", &hash));
        assert!(!own.matches("phone", "123456", &hash) && !own.matches("code", "123457", &hash));
        assert!(!secret("another-secret-another-secret-00").matches("code", "123456", &hash));
    }

    #[test]
    fn codes_are_six_digits() {
        let mut random = rand::rng();
        for _ in 0..1000 {
            let code = new_code(&mut random);
            assert!(code.len() == 6 && code.bytes().all(|digit| digit.is_ascii_digit()));
        }
    }
}
