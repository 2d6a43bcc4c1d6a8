//! The open connections of this process, and their limits. If a limit is reached, the connection that was idle longest is
//! closed, so that clients that send nothing cannot keep others out.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kit::metrics::Counter;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::client_network::network;
use crate::connection_activity::{Activity, OpenRequest};

static REJECTED: Counter = Counter::new(
    "http.server.connections.rejected",
    "Connections that were closed when they were opened, because a limit was reached",
);
static EVICTED: Counter = Counter::new(
    "http.server.connections.evicted",
    "Idle connections that were closed for a new one, because a limit was reached",
);

/// A limit that a new connection would exceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectionLimit {
    PerAddress,
    Total,
}

impl ConnectionLimit {
    const fn label(self) -> &'static str {
        match self {
            Self::PerAddress => "per_address",
            Self::Total => "total",
        }
    }
}

/// The open connections of this process. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct OpenConnections(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    max_connections: usize,
    max_per_address: usize,
    /// Have many clients each, so that the limit per address does not apply to them.
    trusted_proxies: Vec<IpAddr>,
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    next_id: u64,
    connections: HashMap<u64, Entry>,
    /// Number of open connections. Without trusted proxies.
    by_network: HashMap<String, usize>,
    changes: Changes,
}

#[derive(Debug)]
struct Entry {
    /// The network of the client; `None` for a trusted proxy.
    network: Option<String>,
    activity: Arc<Activity>,
    evicted: CancellationToken,
}

/// What the limits did since the last report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) rejected_per_address: u64,
    pub(crate) rejected_in_total: u64,
    pub(crate) evicted: u64,
}

impl OpenConnections {
    pub(crate) fn new(max_connections: usize, max_per_address: usize, trusted_proxies: Vec<IpAddr>) -> Self {
        Self(Arc::new(Shared {
            max_connections,
            max_per_address,
            trusted_proxies,
            table: Mutex::default(),
        }))
    }

    /// Adds a connection of a client. Above a limit, evicts the connection that was idle longest: of the same client for the
    /// limit per address, otherwise of all clients.
    ///
    /// # Errors
    /// The limit, if none of these connections is idle.
    pub(crate) fn open(&self, client: IpAddr) -> Result<OpenConnection, ConnectionLimit> {
        let client = client.to_canonical();
        let network = (!self.0.trusted_proxies.contains(&client)).then(|| network(client));
        let mut table = self.table();
        if let Err(limit) = self.make_room(&mut table, network.as_deref()) {
            REJECTED.add(1, &[("limit", limit.label())]);
            match limit {
                ConnectionLimit::PerAddress => table.changes.rejected_per_address += 1,
                ConnectionLimit::Total => table.changes.rejected_in_total += 1,
            }
            return Err(limit);
        }
        let id = table.next_id;
        table.next_id += 1;
        if let Some(network) = &network {
            *table.by_network.entry(network.clone()).or_default() += 1;
        }
        let connection = OpenConnection {
            id,
            connections: self.clone(),
            activity: Arc::new(Activity::new(Instant::now())),
            evicted: CancellationToken::new(),
        };
        let entry = Entry {
            network,
            activity: Arc::clone(&connection.activity),
            evicted: connection.evicted.clone(),
        };
        table.connections.insert(id, entry);
        Ok(connection)
    }

    fn make_room(&self, table: &mut Table, network: Option<&str>) -> Result<(), ConnectionLimit> {
        let of_client = network.and_then(|network| table.by_network.get(network));
        if of_client.is_some_and(|&count| count >= self.0.max_per_address)
            && !table.evict(|entry| entry.network.as_deref() == network)
        {
            return Err(ConnectionLimit::PerAddress);
        }
        if table.connections.len() >= self.0.max_connections && !table.evict(|_| true) {
            return Err(ConnectionLimit::Total);
        }
        Ok(())
    }

    /// Returns what the limits did since the last call, or `None` if no limit was reached.
    pub(crate) fn take_changes(&self) -> Option<Changes> {
        let changes = std::mem::take(&mut self.table().changes);
        (changes != Changes::default()).then_some(changes)
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// Closes the connection that was idle longest among those that `is_candidate` selects. Returns whether there was one.
    fn evict(&mut self, is_candidate: impl Fn(&Entry) -> bool) -> bool {
        let candidates = self.connections.iter().filter(|(_, entry)| is_candidate(entry));
        let idle = candidates.filter_map(|(&id, entry)| Some((entry.activity.idle_since()?, id)));
        let Some((_, id)) = idle.min() else {
            return false;
        };
        if let Some(entry) = self.remove(id) {
            entry.evicted.cancel();
        }
        EVICTED.add(1, &[]);
        self.changes.evicted += 1;
        true
    }

    fn remove(&mut self, id: u64) -> Option<Entry> {
        let entry = self.connections.remove(&id)?;
        if let Some(network) = &entry.network
            && let Some(count) = self.by_network.get_mut(network)
        {
            *count -= 1;
            if *count == 0 {
                self.by_network.remove(network);
            }
        }
        Some(entry)
    }
}

/// A connection that counts against the limits until it is dropped or evicted.
#[derive(Debug)]
pub(crate) struct OpenConnection {
    id: u64,
    connections: OpenConnections,
    activity: Arc<Activity>,
    evicted: CancellationToken,
}

impl OpenConnection {
    pub(crate) fn activity(&self) -> &Activity {
        &self.activity
    }

    /// Returns a function that registers a request.
    pub(crate) fn requests(&self) -> impl Fn() -> OpenRequest + use<> {
        let activity = Arc::clone(&self.activity);
        move || OpenRequest::begin(&activity)
    }

    /// Completes when the connection has to be closed for a new one.
    pub(crate) async fn evicted(&self) {
        self.evicted.cancelled().await;
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.connections.table().remove(self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROXY: &str = "10.0.0.1";

    fn connections(max_connections: usize, max_per_address: usize) -> OpenConnections {
        OpenConnections::new(max_connections, max_per_address, vec![PROXY.parse().unwrap()])
    }

    fn open(connections: &OpenConnections, client: &str) -> Result<OpenConnection, ConnectionLimit> {
        connections.open(client.parse().unwrap())
    }

    fn is_evicted(connection: &OpenConnection) -> bool {
        connection.evicted.is_cancelled()
    }

    #[test]
    fn the_connection_that_was_idle_longest_is_evicted_at_the_total_limit() {
        let connections = connections(3, 100);
        let first = open(&connections, "203.0.113.1").unwrap();
        let second = open(&connections, "203.0.113.2").unwrap();
        let third = open(&connections, "203.0.113.3").unwrap();
        drop(first.requests()());
        let _fourth = open(&connections, "203.0.113.4").unwrap();
        assert!(is_evicted(&second) && !is_evicted(&first) && !is_evicted(&third));
        let _fifth = open(&connections, "203.0.113.5").unwrap();
        assert!(is_evicted(&third) && !is_evicted(&first));
    }

    #[test]
    fn connections_with_open_requests_are_not_evicted() {
        let connections = connections(2, 100);
        let first = open(&connections, "203.0.113.1").unwrap();
        let second = open(&connections, "203.0.113.2").unwrap();
        let (request, _other) = (first.requests()(), second.requests()());
        let rejected = open(&connections, "203.0.113.3");
        assert_eq!(rejected.unwrap_err(), ConnectionLimit::Total);
        drop(request);
        assert!(open(&connections, "203.0.113.3").is_ok());
        assert!(is_evicted(&first) && !is_evicted(&second));
    }

    #[test]
    fn a_client_has_its_own_limit_and_loses_only_its_own_connections() {
        let connections = connections(100, 2);
        let other = open(&connections, "203.0.113.1").unwrap();
        let idle = open(&connections, "2001:db8::1").unwrap();
        let busy = open(&connections, "2001:db8::2").unwrap();
        let _request = busy.requests()();
        // Another address of the same network.
        let next = open(&connections, "2001:db8::3").unwrap();
        assert!(is_evicted(&idle) && !is_evicted(&other) && !is_evicted(&busy));
        let _another = next.requests()();
        let rejected = open(&connections, "2001:db8::4");
        assert_eq!(rejected.unwrap_err(), ConnectionLimit::PerAddress);
        assert!(open(&connections, "203.0.113.1").is_ok());
        drop(busy);
        assert!(open(&connections, "2001:db8::4").is_ok());
    }

    #[test]
    fn the_limit_per_address_does_not_apply_to_trusted_proxies() {
        let connections = connections(100, 1);
        let mut opened = Vec::new();
        for _ in 0..5 {
            opened.push(open(&connections, PROXY).unwrap());
            opened.push(open(&connections, "::ffff:10.0.0.1").unwrap());
        }
        assert!(!opened.iter().any(is_evicted));
    }

    #[test]
    fn what_the_limits_did_is_reported_once() {
        let connections = connections(2, 1);
        let first = open(&connections, "203.0.113.1").unwrap();
        assert_eq!(connections.take_changes(), None);
        let _second = open(&connections, "203.0.113.2").unwrap();
        let _request = first.requests()();
        for _ in 0..2 {
            assert!(open(&connections, "203.0.113.1").is_err());
        }
        let _third = open(&connections, "203.0.113.3").unwrap();
        let expected = Changes {
            rejected_per_address: 2,
            rejected_in_total: 0,
            evicted: 1,
        };
        assert_eq!(connections.take_changes(), Some(expected));
        assert_eq!(connections.take_changes(), None);
    }

    #[test]
    fn closed_connections_do_not_count() {
        let connections = connections(2, 1);
        for _ in 0..5 {
            drop(open(&connections, "203.0.113.1").unwrap());
        }
        assert_eq!(connections.take_changes(), None);
        assert!(connections.table().by_network.is_empty());
    }
}
