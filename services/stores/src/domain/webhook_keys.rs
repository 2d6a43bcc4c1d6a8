//! Encrypts the secrets of webhooks for the database, so that a copy of the database cannot sign.

use std::fmt;

use aes_gcm::{Aes256Gcm, KeyInit, aead::Aead};
use rand::Rng;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use super::webhook_secret::{SECRET_BYTES, WebhookSecret};

const MIN_SECRET_BYTES: usize = 32;
const NONCE_BYTES: usize = 12;

/// A secret as it is stored: a nonce and the encrypted secret. Secrets from before the encryption are stored as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedSecret(Vec<u8>);

impl SealedSecret {
    pub(crate) const fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the secret of the webhook cannot be decrypted with WEBHOOKS_SECRET or WEBHOOKS_SECRET_ACCEPTED")]
pub struct UnknownKey;

/// The key that encrypts, and during a rotation the previous one.
#[derive(Clone)]
pub struct WebhookKeys {
    newest: Aes256Gcm,
    accepted: Option<Aes256Gcm>,
}

impl fmt::Debug for WebhookKeys {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("WebhookKeys")
    }
}

impl WebhookKeys {
    /// # Errors
    /// A secret is shorter than 32 bytes. The second secret may be empty.
    pub fn new(newest: &SecretString, accepted: &SecretString) -> anyhow::Result<Self> {
        let key = |name: &str, secret: &SecretString| {
            let secret = secret.expose_secret().as_bytes();
            anyhow::ensure!(
                secret.len() >= MIN_SECRET_BYTES,
                "bad configuration: {name}: expected at least {MIN_SECRET_BYTES} bytes"
            );
            let key: [u8; 32] = Sha256::digest(secret).into();
            Ok(Aes256Gcm::new(&key.into()))
        };
        let accepted = match accepted.expose_secret() {
            "" => None,
            _ => Some(key("WEBHOOKS_SECRET_ACCEPTED", accepted)?),
        };
        Ok(Self {
            newest: key("WEBHOOKS_SECRET", newest)?,
            accepted,
        })
    }

    /// Encrypts a secret with the newest key.
    pub(crate) fn seal(
        &self,
        secret: &WebhookSecret,
        rng: &mut impl Rng,
    ) -> Result<SealedSecret, aes_gcm::Error> {
        let mut nonce = [0; NONCE_BYTES];
        rng.fill_bytes(&mut nonce);
        let encrypted = self.newest.encrypt(&nonce.into(), secret.as_bytes())?;
        Ok(SealedSecret([&nonce[..], &encrypted[..]].concat()))
    }

    /// # Errors
    /// The secret was encrypted with another key.
    pub(crate) fn open(&self, sealed: &SealedSecret) -> Result<WebhookSecret, UnknownKey> {
        let SealedSecret(bytes) = sealed;
        if bytes.len() == SECRET_BYTES {
            return Ok(WebhookSecret::from_bytes(bytes.clone()));
        }
        let (nonce, encrypted) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(UnknownKey)?;
        let opened = std::iter::once(&self.newest)
            .chain(&self.accepted)
            .find_map(|key| key.decrypt(&(*nonce).into(), encrypted).ok());
        opened.map(WebhookSecret::from_bytes).ok_or(UnknownKey)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(newest: &str, accepted: &str) -> WebhookKeys {
        let padded = |text: &str| match text {
            "" => SecretString::default(),
            _ => SecretString::from(format!("{text}-with-at-least-32-bytes-in-all")),
        };
        WebhookKeys::new(&padded(newest), &padded(accepted)).unwrap()
    }

    #[test]
    fn a_secret_is_opened_with_the_key_that_sealed_it_during_a_rotation_and_with_no_other() {
        let rng = &mut rand::rng();
        let secret = WebhookSecret::generate(rng);
        let sealed = keys("first", "").seal(&secret, rng).unwrap();
        assert_eq!(sealed.as_bytes().len(), 60);
        assert_ne!(sealed, keys("first", "").seal(&secret, rng).unwrap());
        for opening in [keys("first", ""), keys("second", "first")] {
            assert_eq!(opening.open(&sealed).unwrap().expose(), secret.expose());
        }
        assert_eq!(keys("second", "").open(&sealed).unwrap_err(), UnknownKey);
        let mut changed = sealed.as_bytes().to_vec();
        changed[20] ^= 1;
        let changed = SealedSecret::from_bytes(changed);
        assert_eq!(keys("first", "").open(&changed).unwrap_err(), UnknownKey);
    }

    #[test]
    fn a_short_key_is_rejected() {
        let error = WebhookKeys::new(&SecretString::from("short"), &SecretString::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "bad configuration: WEBHOOKS_SECRET: expected at least 32 bytes"
        );
    }
}
