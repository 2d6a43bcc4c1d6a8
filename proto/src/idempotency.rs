//! Which methods may be called twice, read from the option `idempotency_level` of the contracts.

use std::{collections::HashSet, sync::LazyLock};

use prost::Message;
use prost_types::{FileDescriptorSet, method_options::IdempotencyLevel};

static IDEMPOTENT_METHODS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    // The descriptors were encoded by the build script.
    let descriptors = FileDescriptorSet::decode(crate::DESCRIPTORS).unwrap_or_default();
    let paths = descriptors.file.iter().flat_map(|file| {
        file.service.iter().flat_map(move |service| {
            service
                .method
                .iter()
                .filter(|method| {
                    method.options.as_ref().is_some_and(|options| {
                        options.idempotency_level() != IdempotencyLevel::IdempotencyUnknown
                    })
                })
                .map(move |method| format!("/{}.{}/{}", file.package(), service.name(), method.name()))
        })
    });
    paths.collect()
});

/// Returns whether a method may be called twice, given its path such as `/orderahead.stores.v1.Stores/ListStores`.
pub fn is_idempotent(path: &str) -> bool {
    IDEMPOTENT_METHODS.contains(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_are_idempotent_and_placing_an_order_is_not() {
        assert!(is_idempotent("/orderahead.stores.v1.Stores/ListStores"));
        assert!(!is_idempotent("/orderahead.ordering.v1.Ordering/PlaceOrder"));
        assert!(!is_idempotent("/orderahead.stores.v1.Stores/Unknown"));
    }
}
