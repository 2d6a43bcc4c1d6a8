//! The secret that a store's own systems sign in with: shown once, kept as a hash.

use rand::Rng;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

/// What a secret is known by. It has 256 random bits, so a plain hash cannot be searched.
#[must_use]
pub fn hash(secret: &SecretString) -> [u8; 32] {
    Sha256::digest(secret.expose_secret().as_bytes()).into()
}

/// A fresh secret.
pub fn fresh(chance: &mut impl Rng) -> SecretString {
    let mut bytes = [0_u8; 32];
    chance.fill_bytes(&mut bytes);
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    SecretString::from(format!("store_{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_are_alike_and_each_has_its_hash() {
        let (one, other) = (fresh(&mut rand::rng()), fresh(&mut rand::rng()));
        assert_ne!(one.expose_secret(), other.expose_secret());
        assert_eq!(hash(&one), hash(&SecretString::from(one.expose_secret())));
        assert_ne!(hash(&one), hash(&other));
    }
}
