//! Which methods may be called twice, read from the option `idempotency_level` of the contracts.

use std::{collections::HashMap, sync::LazyLock};

use prost::Message;
use prost_types::{FileDescriptorSet, method_options::IdempotencyLevel};

static LEVELS: LazyLock<HashMap<String, IdempotencyLevel>> = LazyLock::new(|| {
    // The descriptors were encoded by the build script.
    let descriptors = FileDescriptorSet::decode(crate::DESCRIPTORS).unwrap_or_default();
    let methods = descriptors.file.iter().flat_map(|file| {
        file.service.iter().flat_map(move |service| {
            service.method.iter().filter_map(move |method| {
                let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
                Some((path, method.options.as_ref()?.idempotency_level()))
            })
        })
    });
    methods.collect()
});

/// Returns whether a method may be called twice, given its path such as `/orderahead.stores.v1.Stores/ListStores`.
pub fn is_idempotent(path: &str) -> bool {
    LEVELS
        .get(path)
        .is_some_and(|level| *level != IdempotencyLevel::IdempotencyUnknown)
}

/// Returns whether a method only reads, given its path.
pub fn is_read(path: &str) -> bool {
    LEVELS.get(path) == Some(&IdempotencyLevel::NoSideEffects)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contracts_say_which_methods_are_idempotent_and_which_only_read() {
        for (path, expected) in [
            ("/orderahead.stores.v1.Stores/ListStores", (true, true)),
            ("/orderahead.ordering.v1.Ordering/PlaceOrder", (true, false)),
            ("/orderahead.stores.v1.Stores/PauseStore", (false, false)),
            ("/orderahead.stores.v1.Stores/Unknown", (false, false)),
        ] {
            assert_eq!((is_idempotent(path), is_read(path)), expected, "{path}");
        }
    }
}
