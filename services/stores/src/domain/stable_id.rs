//! Ids derived from names, so that importing or seeding again finds the same rows.

use sha2::{Digest, Sha256};
use types::{ChoiceId, CompanyId, ItemId, ModificationId, SizeId};
use uuid::Uuid;

use super::menu::CupSize;

/// Derives a UUID of version 8 from a kind, an owner and a name.
#[must_use]
pub(crate) fn derive(parts: &[&str]) -> Uuid {
    let mut digest = Sha256::new();
    for part in parts {
        // The length prefix keeps different lists of parts from having the same bytes.
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part.as_bytes());
    }
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&digest.finalize()[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

pub(crate) fn company_id(key: &str) -> CompanyId {
    derive(&["company", key]).into()
}

pub(crate) fn modification_id(company: &str, key: &str) -> ModificationId {
    derive(&["modification", company, key]).into()
}

pub(crate) fn choice_id(company: &str, modification: &str, key: &str) -> ChoiceId {
    derive(&["choice", company, modification, key]).into()
}

pub(crate) fn item_id(company: &str, key: &str) -> ItemId {
    derive(&["item", company, key]).into()
}

pub(crate) fn size_id(company: &str, item: &str, cup_size: CupSize) -> SizeId {
    derive(&["size", company, item, cup_size.code()]).into()
}

#[must_use]
pub fn store_id(store_number: &str) -> types::StoreId {
    derive(&["store", store_number]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_parts_have_equal_ids() {
        assert_eq!(store_id("76795-96265"), store_id("76795-96265"));
        assert_ne!(derive(&["ab", "c"]), derive(&["a", "bc"]));
        assert_eq!(derive(&["store", "1"]).get_version_num(), 8);
    }
}
