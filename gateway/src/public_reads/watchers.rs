//! Clients that watch a store, for example with an open menu. They receive that something changed and read it again.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::client_network::network;
use crate::config::StreamLimits;
use crate::live_orders::StreamLimitError;

/// What changed at a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoreChange {
    /// Items, sizes or choices, or what of them is sold out.
    Menu,
    /// Whether the store accepts orders.
    Status,
    /// Unknown: events were lost, or their type is of a newer version.
    Any,
}

/// Numbers of changes. A slow watcher receives that they grew, not each change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ChangeCounts {
    pub(crate) menu: u64,
    pub(crate) status: u64,
}

impl ChangeCounts {
    fn add(&mut self, change: StoreChange) {
        self.menu += u64::from(change != StoreChange::Status);
        self.status += u64::from(change != StoreChange::Menu);
    }
}

/// The watchers of this process. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Watchers(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    open: Mutex<OpenWatches>,
    /// Slots of all streams of this process, and of the watchers among them.
    streams: Arc<Semaphore>,
    watchers: Arc<Semaphore>,
    max_per_address: usize,
}

#[derive(Debug, Default)]
struct OpenWatches {
    stores: HashMap<String, WatchedStore>,
    /// Number of watches by IPv4 address or IPv6 network.
    addresses: HashMap<String, usize>,
}

#[derive(Debug, Default)]
struct WatchedStore {
    changes: watch::Sender<ChangeCounts>,
    watch_count: usize,
}

/// One watcher of a store. Dropping it ends the watch.
#[derive(Debug)]
pub(crate) struct StoreWatch {
    watchers: Watchers,
    store_id: String,
    address: String,
    pub(crate) changes: watch::Receiver<ChangeCounts>,
    _slots: [OwnedSemaphorePermit; 2],
}

impl Drop for StoreWatch {
    fn drop(&mut self) {
        let mut open = self.watchers.open();
        if let Some(store) = open.stores.get_mut(&self.store_id) {
            store.watch_count -= 1;
            if store.watch_count == 0 {
                open.stores.remove(&self.store_id);
            }
        }
        if let Some(count) = open.addresses.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.addresses.remove(&self.address);
            }
        }
    }
}

impl Watchers {
    pub(super) fn new(streams: Arc<Semaphore>, limits: StreamLimits) -> Self {
        Self(Arc::new(Inner {
            open: Mutex::default(),
            streams,
            watchers: Arc::new(Semaphore::new(limits.store_watchers_in_all)),
            max_per_address: limits.store_watchers_per_address,
        }))
    }

    /// Watches a store for a client.
    pub(super) fn watch(&self, store_id: String, address: IpAddr) -> Result<StoreWatch, StreamLimitError> {
        let acquire = |slots: &Arc<Semaphore>| {
            let slot = Arc::clone(slots).try_acquire_owned();
            slot.map_err(|_| StreamLimitError::InAll)
        };
        let slots = [acquire(&self.0.watchers)?, acquire(&self.0.streams)?];
        let address = network(address);
        let mut open = self.open();
        let count = open.addresses.entry(address.clone()).or_default();
        if *count >= self.0.max_per_address {
            return Err(StreamLimitError::PerSubscriber);
        }
        *count += 1;
        let store = open.stores.entry(store_id.clone()).or_default();
        store.watch_count += 1;
        Ok(StoreWatch {
            changes: store.changes.subscribe(),
            watchers: self.clone(),
            store_id,
            address,
            _slots: slots,
        })
    }

    pub(super) fn notify(&self, store_id: &str, change: StoreChange) {
        if let Some(store) = self.open().stores.get(store_id) {
            store.changes.send_modify(|counts| counts.add(change));
        }
    }

    pub(super) fn notify_all(&self, change: StoreChange) {
        for store in self.open().stores.values() {
            store.changes.send_modify(|counts| counts.add(change));
        }
    }

    fn open(&self) -> MutexGuard<'_, OpenWatches> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const BOB: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    fn watchers(in_all: usize, per_address: usize, streams: usize) -> Watchers {
        let limits = StreamLimits {
            streams_per_consumer: 1,
            streams_in_all: streams,
            store_watchers_per_address: per_address,
            store_watchers_in_all: in_all,
        };
        Watchers::new(Arc::new(Semaphore::new(streams)), limits)
    }

    #[test]
    fn a_watch_receives_the_changes_of_its_store_by_kind() {
        let watchers = watchers(9, 9, 9);
        let mut watch = watchers.watch("str_1".to_owned(), ADA).unwrap();
        let counts = |menu, status| ChangeCounts { menu, status };
        watchers.notify("str_2", StoreChange::Menu);
        assert!(!watch.changes.has_changed().unwrap());
        for (change, expected) in [
            (StoreChange::Menu, counts(1, 0)),
            (StoreChange::Status, counts(1, 1)),
            (StoreChange::Any, counts(2, 2)),
        ] {
            watchers.notify("str_1", change);
            assert_eq!(*watch.changes.borrow_and_update(), expected);
        }
        watchers.notify_all(StoreChange::Menu);
        assert_eq!(*watch.changes.borrow(), counts(3, 2));
    }

    #[test]
    fn watches_are_limited_per_address_and_in_all_until_they_are_dropped() {
        let watch = |watchers: &Watchers, address| watchers.watch("str_1".to_owned(), address);
        let watchers_of_two = watchers(2, 1, 9);
        let first = watch(&watchers_of_two, ADA).unwrap();
        assert_eq!(
            watch(&watchers_of_two, ADA).unwrap_err(),
            StreamLimitError::PerSubscriber
        );
        let second = watch(&watchers_of_two, BOB).unwrap();
        assert_eq!(watch(&watchers_of_two, BOB).unwrap_err(), StreamLimitError::InAll);
        drop((first, second));
        let open = watchers_of_two.open();
        assert!(open.stores.is_empty() && open.addresses.is_empty());
        drop(open);
        let few_streams = watchers(9, 9, 1);
        let _first = watch(&few_streams, ADA).unwrap();
        assert_eq!(watch(&few_streams, ADA).unwrap_err(), StreamLimitError::InAll);
    }
}
