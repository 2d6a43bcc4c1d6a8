//! Chooses the replica of a process for the next call: of those that are available, the one with the fewest open calls.
//!
//! tonic's `balance_channel` does neither: it treats all replicas as equally loaded, and it considers a replica that
//! rejects connections as ready, so that a share of the calls would fail.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Notify, watch},
    time::timeout,
};

use super::{
    address::{AddressList, Resolved},
    replica::{OpenCall, Replica},
};

/// Interval of name lookups. A failed call triggers a lookup at once.
const REFRESH_INTERVAL: Duration = Duration::from_secs(10);
/// Minimum time between two lookups.
const MIN_REFRESH_INTERVAL: Duration = Duration::from_millis(500);
/// Time that a call waits for the first lookup.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(2);

type ReplicaList = Arc<[Arc<Replica>]>;

/// The current replicas of one process.
#[derive(Debug)]
pub(super) struct Replicas {
    /// `None` until the first lookup has ended.
    list: watch::Receiver<Option<ReplicaList>>,
    refresh: Arc<Notify>,
    next_start: AtomicUsize,
}

impl Replicas {
    /// Looks up names in the background until the returned value is dropped. IP addresses need no lookup.
    pub(super) fn of(addresses: AddressList) -> Self {
        let (sender, list) = watch::channel(addresses.literal().map(|resolved| connect(&[], resolved)));
        let refresh = Arc::new(Notify::new());
        if list.borrow().is_none() {
            tokio::spawn(keep_current(addresses, sender, Arc::clone(&refresh)));
        }
        Self {
            list,
            refresh,
            next_start: AtomicUsize::new(0),
        }
    }

    /// Chooses a replica that was not tried yet. Returns `None` if there is none.
    pub(super) async fn choose(&self, tried: &[Arc<Replica>]) -> Option<OpenCall> {
        let list = self.current().await?;
        let next_start = self.next_start.fetch_add(1, Ordering::Relaxed);
        // Starts at a different replica each time, because the first of equally loaded replicas is chosen.
        let untried = (0..list.len())
            .map(|index| &list[(next_start.wrapping_add(index)) % list.len()])
            .filter(|replica| !tried.iter().any(|other| Arc::ptr_eq(other, replica)));
        // If none is available, chooses one nevertheless: a call must not fail because other calls failed.
        untried
            .min_by_key(|replica| (!replica.is_available(), replica.open_calls()))
            .map(OpenCall::new)
    }

    /// Returns whether another replica is available.
    pub(super) fn has_alternative(&self, tried: &Arc<Replica>) -> bool {
        self.list.borrow().as_ref().is_some_and(|list| {
            list.iter()
                .any(|replica| !Arc::ptr_eq(replica, tried) && replica.is_available())
        })
    }

    /// Returns whether there is a replica apart from those that were tried and the current one.
    pub(super) fn has_untried(&self, tried: &[Arc<Replica>], current: &Arc<Replica>) -> bool {
        self.list.borrow().as_ref().is_some_and(|list| {
            list.iter().any(|replica| {
                !Arc::ptr_eq(replica, current) && !tried.iter().any(|other| Arc::ptr_eq(other, replica))
            })
        })
    }

    /// Looks up the names again soon.
    pub(super) fn request_refresh(&self) {
        self.refresh.notify_one();
    }

    async fn current(&self) -> Option<ReplicaList> {
        if let Some(list) = self.list.borrow().as_ref() {
            return Some(Arc::clone(list));
        }
        let mut list = self.list.clone();
        let resolved = timeout(LOOKUP_TIMEOUT, list.wait_for(Option::is_some)).await;
        resolved.ok()?.ok()?.clone()
    }
}

async fn keep_current(
    addresses: AddressList,
    list: watch::Sender<Option<ReplicaList>>,
    refresh: Arc<Notify>,
) {
    loop {
        let resolved = addresses.resolve().await;
        list.send_modify(|list| {
            let known = list.as_deref().unwrap_or_default();
            // After a failed lookup, the known replicas are kept.
            if !resolved.is_empty() || list.is_none() {
                *list = Some(connect(known, resolved));
            }
        });
        let next = async {
            tokio::time::sleep(MIN_REFRESH_INTERVAL).await;
            let _ = timeout(REFRESH_INTERVAL, refresh.notified()).await;
        };
        tokio::select! { () = next => {}, () = list.closed() => return }
    }
}

/// Reuses the connections of known replicas.
fn connect(known: &[Arc<Replica>], resolved: Vec<Resolved>) -> ReplicaList {
    let replica = |resolved: Resolved| {
        known
            .iter()
            .find(|replica| replica.address == resolved.address)
            .map_or_else(
                || Arc::new(Replica::new(resolved.address, resolved.endpoint.connect_lazy())),
                Arc::clone,
            )
    };
    resolved.into_iter().map(replica).collect()
}

#[cfg(test)]
mod tests {
    use std::{io, net::SocketAddr, sync::atomic::AtomicU16};

    use futures::future::{BoxFuture, FutureExt};

    use super::*;

    fn addresses(text: &str) -> AddressList {
        AddressList::parse("STORES_ADDRESS", text).unwrap()
    }

    async fn call(replicas: &Replicas) -> OpenCall {
        replicas.choose(&[]).await.unwrap()
    }

    fn port(call: &OpenCall) -> u16 {
        call.replica().address.port()
    }

    #[tokio::test]
    async fn the_replica_with_the_fewest_open_calls_is_chosen() {
        let replicas = Replicas::of(addresses("http://127.0.0.1:1,http://127.0.0.1:2"));
        let open = call(&replicas).await;
        for _ in 0..5 {
            assert_ne!(port(&call(&replicas).await), port(&open));
        }
        drop(open);
        let (first, second) = (port(&call(&replicas).await), port(&call(&replicas).await));
        assert_ne!(first, second, "equally loaded replicas alternate");
    }

    #[tokio::test]
    async fn a_failed_replica_is_chosen_only_if_no_other_is_available() {
        let replicas = Replicas::of(addresses("http://127.0.0.1:1,http://127.0.0.1:2"));
        let failed = call(&replicas).await;
        failed.replica().check_health();
        let other = call(&replicas).await;
        for _ in 0..5 {
            assert_eq!(port(&call(&replicas).await), port(&other));
        }
        assert!(!replicas.has_alternative(other.replica()));
        let untried = replicas.choose(&[Arc::clone(other.replica())]).await.unwrap();
        assert_eq!(port(&untried), port(&failed));
        let tried = [Arc::clone(other.replica()), Arc::clone(failed.replica())];
        assert!(replicas.choose(&tried).await.is_none());
    }

    #[tokio::test]
    async fn a_new_address_of_a_name_gets_calls_and_a_removed_one_does_not() {
        static ADDRESS: AtomicU16 = AtomicU16::new(1);

        fn look_up(_: String, port: u16) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
            let ports = match ADDRESS.load(Ordering::SeqCst) {
                0 => return async { Err(io::Error::other("no such name")) }.boxed(),
                1 => vec![port],
                2 => vec![port, port + 1],
                _ => vec![port + 1],
            };
            let addresses = ports
                .into_iter()
                .map(|port| SocketAddr::from(([127, 0, 0, 1], port)));
            async move { Ok(addresses.collect()) }.boxed()
        }

        let replicas = Replicas::of(addresses("http://stores:1").with_lookup(look_up));
        let ports_after = async |state| {
            ADDRESS.store(state, Ordering::SeqCst);
            replicas.request_refresh();
            // A requested lookup waits for `MIN_REFRESH_INTERVAL`.
            tokio::time::sleep(MIN_REFRESH_INTERVAL * 2).await;
            let calls = [call(&replicas).await, call(&replicas).await];
            let mut ports: Vec<u16> = calls.iter().map(port).collect();
            ports.sort_unstable();
            ports
        };
        assert_eq!(ports_after(1).await, [1, 1]);
        assert_eq!(ports_after(2).await, [1, 2]);
        assert_eq!(ports_after(0).await, [1, 2], "a failed lookup changes nothing");
        assert_eq!(ports_after(3).await, [2, 2]);
    }
}
