//! Secrets of store credentials and tokens of staff sessions. Only their hashes are stored.

use rand::Rng;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

/// Hashes a secret. An unsalted hash is sufficient, because secrets have 256 random bits.
#[must_use]
pub(crate) fn hash(secret: &SecretString) -> [u8; 32] {
    Sha256::digest(secret.expose_secret().as_bytes()).into()
}

pub(crate) fn generate(rng: &mut impl Rng) -> SecretString {
    generate_with_prefix("store", rng)
}

/// Returns a token for a session of the staff of a store.
pub(crate) fn generate_staff_token(rng: &mut impl Rng) -> SecretString {
    generate_with_prefix("staff", rng)
}

fn generate_with_prefix(prefix: &str, rng: &mut impl Rng) -> SecretString {
    let mut bytes = [0_u8; 32];
    rng.fill_bytes(&mut bytes);
    SecretString::from(format!(
        "{prefix}_{}",
        bytes
            .iter()
            .fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_secrets_differ_and_have_different_hashes() {
        let (one, other) = (generate(&mut rand::rng()), generate(&mut rand::rng()));
        assert_ne!(one.expose_secret(), other.expose_secret());
        assert_eq!(hash(&one), hash(&SecretString::from(one.expose_secret())));
        assert_ne!(hash(&one), hash(&other));
    }
}
