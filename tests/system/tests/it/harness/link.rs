//! TCP proxies on the connections between processes.

use std::net::SocketAddr;

use testing::{Fault, Proxy};

/// The connections from one process to another.
pub struct Link {
    /// Program and replica, for example `gateway-1`.
    pub from: String,
    /// Program and replica, or `postgres`, `rabbitmq` or `redis`.
    pub to: String,
    pub address: SocketAddr,
    proxy: Proxy,
}

impl Link {
    /// Starts a proxy to `server` (`host:port`).
    pub fn new(from: &str, to: &str, server: String) -> Self {
        let proxy = Proxy::start(server);
        Self {
            from: from.to_owned(),
            to: to.to_owned(),
            address: proxy.address,
            proxy,
        }
    }

    pub fn set(&self, fault: Option<Fault>) {
        self.proxy.set(fault);
    }

    pub fn is_from(&self, program: &str) -> bool {
        is_replica_of(&self.from, program)
    }

    pub fn is_to(&self, program: &str) -> bool {
        is_replica_of(&self.to, program)
    }
}

fn is_replica_of(process: &str, program: &str) -> bool {
    process
        .strip_prefix(program)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("-0") || rest.starts_with("-1"))
}
