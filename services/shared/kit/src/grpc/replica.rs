//! One replica of a process: its connection, its open calls, and whether it is available.
//!
//! After a failed call a replica gets no calls until it responds to a health check, or to a call that was sent to it because no
//! replica was available. A connection alone does not show that it responds: the kernel accepts connections for a frozen process, too.
//! A replica that is draining gets no calls either, but still responds to those that it has.

use std::{
    error::Error as _,
    io,
    net::SocketAddr,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::timeout;
use tonic::{Status, transport::Channel};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use crate::backoff::Backoff;

/// Time between two health checks of a replica that is not available.
const HEALTH_CHECK_INTERVAL: Backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(1));
/// Time to respond to a health check.
const HEALTH_CHECK_TIMEOUT: Duration = Duration::from_secs(1);

/// One address of a process, with a lazy connection that reconnects.
#[derive(Debug)]
pub(super) struct Replica {
    pub(super) address: SocketAddr,
    pub(super) channel: Channel,
    open_calls: AtomicUsize,
    is_available: AtomicBool,
    /// A task checks its health.
    is_checked: AtomicBool,
}

impl Replica {
    pub(super) const fn new(address: SocketAddr, channel: Channel) -> Self {
        Self {
            address,
            channel,
            open_calls: AtomicUsize::new(0),
            is_available: AtomicBool::new(true),
            is_checked: AtomicBool::new(false),
        }
    }

    pub(super) fn is_available(&self) -> bool {
        self.is_available.load(Ordering::Relaxed)
    }

    pub(super) fn open_calls(&self) -> usize {
        self.open_calls.load(Ordering::Relaxed)
    }

    /// Makes the replica unavailable until it responds. The checks end when the replica is dropped.
    pub(super) fn check_health(self: &Arc<Self>) {
        self.is_available.store(false, Ordering::SeqCst);
        self.start_checks();
    }

    /// Makes the replica available. Its checks end.
    pub(super) fn record_response(&self) {
        if !self.is_available() {
            self.is_available.store(true, Ordering::SeqCst);
        }
    }

    /// Starts the task that checks the health, unless it runs.
    fn start_checks(self: &Arc<Self>) {
        if !self.is_checked.swap(true, Ordering::SeqCst) {
            tokio::spawn(wait_until_available(Arc::downgrade(self)));
        }
    }

    /// Ends the task that checks the health. A call may have failed in the meantime.
    fn end_checks(self: &Arc<Self>) {
        self.is_checked.store(false, Ordering::SeqCst);
        if !self.is_available.load(Ordering::SeqCst) {
            self.start_checks();
        }
    }

    pub(super) async fn health(&self) -> Health {
        let mut client = HealthClient::new(self.channel.clone());
        match timeout(HEALTH_CHECK_TIMEOUT, client.check(HealthCheckRequest::default())).await {
            Ok(Ok(response)) if response.get_ref().status() == ServingStatus::Serving => Health::Serving,
            Ok(Ok(_)) => Health::NotServing,
            Ok(Err(status)) if is_refused(&status) => Health::NotServing,
            Ok(Err(_)) | Err(_) => Health::NoResponse,
        }
    }
}

/// The result of a health check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Health {
    Serving,
    /// Gets no calls, but may respond to those that it has: it is draining, or no longer accepts connections.
    NotServing,
    NoResponse,
}

/// Returns whether no process listens at the address. If the replica has ended, its calls fail with its connections.
fn is_refused(status: &Status) -> bool {
    let mut cause = status.source();
    while let Some(error) = cause {
        let error_kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        if error_kind == Some(io::ErrorKind::ConnectionRefused) {
            return true;
        }
        cause = error.source();
    }
    false
}

async fn wait_until_available(replica: Weak<Replica>) {
    let mut delays = HEALTH_CHECK_INTERVAL.delays();
    let mut failed_checks = 0_u32;
    loop {
        // Not held while waiting, so that the checks of a removed replica end.
        let Some(replica) = replica.upgrade() else { return };
        if replica.is_available() || replica.health().await == Health::Serving {
            replica.record_response();
            if failed_checks > 0 {
                tracing::info!(replica = %replica.address, failed_checks, "replica available again");
            }
            return replica.end_checks();
        }
        failed_checks += 1;
        if failed_checks == 1 {
            tracing::warn!(replica = %replica.address, "replica not available; gets no calls until it responds to a health check");
        }
        drop(replica);
        tokio::time::sleep(delays.next_delay()).await;
    }
}

/// A call to a replica, counted while it is open.
#[derive(Debug)]
pub(super) struct OpenCall(Arc<Replica>);

impl OpenCall {
    pub(super) fn new(replica: &Arc<Replica>) -> Self {
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
