//! Ids made from what a thing is called, so that writing it again finds it.

use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The id of the thing that these words name, from the outside in: kind, owner, name. A UUID of version 8.
#[must_use]
pub fn of(words: &[&str]) -> Uuid {
    let mut digest = Sha256::new();
    for word in words {
        // The length goes first, so that no two lists of words run into the same bytes.
        digest.update(u64::try_from(word.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(word.as_bytes());
    }
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&digest.finalize()[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

/// The id of the store of a number.
#[must_use]
pub fn store(number: &str) -> types::StoreId {
    of(&["store", number]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_make_the_same_id() {
        assert_eq!(store("76795-96265"), store("76795-96265"));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_eq!(of(&["store", "1"]).get_version_num(), 8);
    }
}
