//! Chooses the replica of a process for the next call: the one with the fewest open calls. A replica that fails is
//! ejected for a growing time; after that, it gets one call at a time until one succeeds.
//!
//! tonic's `balance_channel` does neither: it treats all replicas as equally loaded, and it considers a replica that
//! rejects connections as ready, so that a share of the calls would fail.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Notify, watch},
    time::{Instant, timeout},
};
use tonic::transport::Channel;

use super::address::{AddressList, Resolved};
use crate::backoff::Backoff;

/// Interval of name lookups. A failed call triggers a lookup at once.
const REFRESH_INTERVAL: Duration = Duration::from_secs(10);
/// Minimum time between two lookups.
const MIN_REFRESH_INTERVAL: Duration = Duration::from_millis(500);
/// Time that a call waits for the first lookup.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(2);
/// Time for which a replica gets no calls after a failure.
const EJECTION: Backoff = Backoff::new(Duration::from_millis(200), Duration::from_secs(5));
/// Number of consecutive timeouts that count as a failure. A single slow call does not.
const MAX_TIMEOUTS: u32 = 3;

/// One address of a process, with a lazy connection that reconnects.
#[derive(Debug)]
pub(super) struct Replica {
    pub(super) address: SocketAddr,
    pub(super) channel: Channel,
    open_calls: AtomicUsize,
    health: Mutex<Health>,
}

#[derive(Debug, Default)]
struct Health {
    failures: u32,
    timeouts: u32,
    ejected_until: Option<Instant>,
}

impl Health {
    fn eject(&mut self) {
        self.failures += 1;
        self.timeouts = 0;
        self.ejected_until = Some(Instant::now() + EJECTION.delay_after(self.failures));
    }
}

impl Replica {
    fn new(address: SocketAddr, channel: Channel) -> Self {
        Self {
            address,
            channel,
            open_calls: AtomicUsize::new(0),
            health: Mutex::default(),
        }
    }

    pub(super) fn record_success(&self) {
        *self.health() = Health::default();
    }

    pub(super) fn record_failure(&self) {
        self.health().eject();
    }

    pub(super) fn record_timeout(&self) {
        let mut health = self.health();
        health.timeouts += 1;
        if health.timeouts >= MAX_TIMEOUTS {
            health.eject();
        }
    }

    /// Returns when the replica may get the next call, if that is not now.
    fn ejected_until(&self, now: Instant) -> Option<Instant> {
        let until = self.health().ejected_until?;
        (until > now || self.open_calls() > 0).then_some(until)
    }

    fn open_calls(&self) -> usize {
        self.open_calls.load(Ordering::Relaxed)
    }

    fn health(&self) -> std::sync::MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call to a replica, counted while it is open.
#[derive(Debug)]
pub(super) struct OpenCall(Arc<Replica>);

impl OpenCall {
    fn new(replica: &Arc<Replica>) -> Self {
        replica.open_calls.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(replica))
    }

    pub(super) const fn replica(&self) -> &Arc<Replica> {
        &self.0
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        self.0.open_calls.fetch_sub(1, Ordering::Relaxed);
    }
}

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
        let (next_start, now) = (self.next_start.fetch_add(1, Ordering::Relaxed), Instant::now());
        // Starts at a different replica each time, because the first of equally loaded replicas is chosen.
        let untried = (0..list.len())
            .map(|index| &list[(next_start.wrapping_add(index)) % list.len()])
            .filter(|replica| !tried.iter().any(|other| Arc::ptr_eq(other, replica)));
        // If all replicas are ejected, chooses the one with the earliest end: a call must not fail because other calls
        // failed.
        untried
            .min_by_key(|replica| (replica.ejected_until(now), replica.open_calls()))
            .map(OpenCall::new)
    }

    /// Returns whether a replica that was not tried yet is expected to respond.
    pub(super) fn has_alternative(&self, tried: &Arc<Replica>) -> bool {
        let now = Instant::now();
        self.list.borrow().as_ref().is_some_and(|list| {
            list.iter()
                .any(|replica| !Arc::ptr_eq(replica, tried) && replica.ejected_until(now).is_none())
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
    use std::{io, sync::atomic::AtomicU16};

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
    async fn an_ejected_replica_gets_one_call_at_a_time_until_one_succeeds() {
        let replicas = Replicas::of(addresses("http://127.0.0.1:1,http://127.0.0.1:2"));
        let failed = port(&call(&replicas).await);
        // The other replica has two open calls, so the failed one would be chosen without the ejection.
        let busy = [call(&replicas).await, call(&replicas).await];
        let busy: Vec<_> = busy.into_iter().filter(|call| port(call) != failed).collect();
        assert!(!busy.is_empty());
        let probe = call(&replicas).await;
        assert_eq!(port(&probe), failed);
        probe.replica().record_failure();
        drop(probe);
        assert_ne!(port(&call(&replicas).await), failed);

        tokio::time::sleep(EJECTION.delay_after(1)).await;
        let probe = call(&replicas).await;
        assert_eq!(port(&probe), failed);
        assert_ne!(port(&call(&replicas).await), failed);
        probe.replica().record_success();
        let more_busy = call(&replicas).await;
        let next = call(&replicas).await;
        assert!([port(&more_busy), port(&next)].contains(&failed));
    }

    #[tokio::test]
    async fn ejected_replicas_are_chosen_if_there_are_no_others() {
        let replicas = Replicas::of(addresses("http://127.0.0.1:1"));
        let only = call(&replicas).await;
        only.replica().record_failure();
        assert_eq!(port(&call(&replicas).await), 1);
        assert!(replicas.choose(&[Arc::clone(only.replica())]).await.is_none());
    }

    #[tokio::test]
    async fn timeouts_eject_a_replica_only_if_they_are_consecutive() {
        let replicas = Replicas::of(addresses("http://127.0.0.1:1"));
        let only = call(&replicas).await;
        let is_ejected = || only.replica().ejected_until(Instant::now()).is_some();
        for _ in 0..10 {
            only.replica().record_timeout();
            only.replica().record_timeout();
            only.replica().record_success();
        }
        assert!(!is_ejected());
        (0..MAX_TIMEOUTS).for_each(|_| only.replica().record_timeout());
        assert!(is_ejected());
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
