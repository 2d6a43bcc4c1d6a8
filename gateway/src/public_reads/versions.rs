//! Versions of cached data. An event increments the version of what it changed, so that later requests do not find older
//! entries.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};

/// Stores share versions, so that their number is fixed. An event of one store also invalidates the entries of the few
/// others with the same version.
const STORE_VERSION_COUNT: usize = 4096;

/// The data that a response contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope<'a> {
    /// One store, by its id.
    Store(&'a str),
    /// The menu of a store, including what the store has sold out.
    Menu(&'a str),
    /// Any number of stores.
    StoreList,
}

#[derive(Debug)]
pub(super) struct Versions {
    all: AtomicU64,
    menus: AtomicU64,
    store_lists: AtomicU64,
    stores: Box<[AtomicU64]>,
    hasher: RandomState,
}

impl Default for Versions {
    fn default() -> Self {
        Self {
            all: AtomicU64::new(0),
            menus: AtomicU64::new(0),
            store_lists: AtomicU64::new(0),
            stores: (0..STORE_VERSION_COUNT).map(|_| AtomicU64::new(0)).collect(),
            hasher: RandomState::new(),
        }
    }
}

impl Versions {
    /// Returns the current version. Versions of a scope only grow: each is a sum of counters that are never decremented.
    pub(super) fn get(&self, scope: Scope<'_>) -> u64 {
        let read = |counter: &AtomicU64| counter.load(Ordering::Acquire);
        read(&self.all)
            + match scope {
                Scope::Store(id) => read(self.store(id)),
                Scope::Menu(id) => read(self.store(id)) + read(&self.menus),
                Scope::StoreList => read(&self.store_lists),
            }
    }

    /// Invalidates a store with its menu, and all lists of stores.
    pub(super) fn increment_store(&self, id: &str) {
        increment(self.store(id));
        increment(&self.store_lists);
    }

    /// Invalidates all menus: the gateway does not know which stores a company has.
    pub(super) fn increment_menus(&self) {
        increment(&self.menus);
    }

    pub(super) fn increment_all(&self) {
        increment(&self.all);
    }

    fn store(&self, id: &str) -> &AtomicU64 {
        let count = self.stores.len() as u64;
        let slot = self.hasher.hash_one(id) % count;
        &self.stores[usize::try_from(slot).unwrap_or_default()]
    }
}

fn increment(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::AcqRel);
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCOPES: [Scope<'static>; 3] = [Scope::Store("a"), Scope::Menu("a"), Scope::StoreList];

    fn changed_scopes(increment: impl FnOnce(&Versions)) -> Vec<Scope<'static>> {
        let versions = Versions::default();
        increment(&versions);
        SCOPES
            .into_iter()
            .filter(|scope| versions.get(*scope) > 0)
            .collect()
    }

    #[test]
    fn an_event_invalidates_only_what_it_may_have_changed() {
        assert_eq!(changed_scopes(|versions| versions.increment_store("a")), SCOPES);
        assert_eq!(changed_scopes(Versions::increment_menus), [Scope::Menu("a")]);
        assert_eq!(changed_scopes(Versions::increment_all), SCOPES);
        let versions = Versions::default();
        let other = (0..1_000)
            .map(|number| number.to_string())
            .find(|id| !std::ptr::eq(versions.store(id), versions.store("a")))
            .unwrap();
        versions.increment_store(&other);
        assert_eq!(versions.get(Scope::Store("a")), 0);
    }
}
