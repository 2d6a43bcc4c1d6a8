//! Letters and digits of ids and fingerprints.

use sha2::{Digest, Sha256};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Returns 24 letters and digits that depend only on the parts.
pub fn derive_letters(parts: &[&[u8]]) -> String {
    let digest = parts.iter().fold(Sha256::new(), Digest::chain_update).finalize();
    digest
        .iter()
        .take(24)
        .map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()]))
        .collect()
}
