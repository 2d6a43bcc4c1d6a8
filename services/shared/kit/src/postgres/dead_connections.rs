//! Finds connections that stay dead after an outage of the database.
//!
//! sqlx waits for some responses without a limit: of the statements of workers, and of its own test of a connection that is
//! released. If the host of the database disappears without closing its connections, each takes a place of the pool until TCP
//! gives up, about 15 minutes later. Only the end of the process removes it.
//!
//! See `docs/decisions/0037-dead-connections.md`.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, Connection, PgPool, pool::PoolConnectionMetadata};

use super::DatabaseTimeout;
use crate::{backoff, lifecycle::Process};

/// Interval for looking at the pool while it works.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);
/// Interval for looking at the pool after an outage, and for new connections.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(50);
const RECONNECT_INTERVAL: Duration = Duration::from_secs(1);

/// The uses of a pool's connections.
#[derive(Debug)]
pub(super) struct DeadConnections {
    pub(super) timeout: DatabaseTimeout,
    uses: Mutex<Uses>,
}

#[derive(Debug)]
struct Uses {
    /// Connections in use. The pool also counts those that are being opened, tested or closed.
    used: usize,
    /// Of these, connections opened before [`Self::replaced`].
    used_old: usize,
    /// Connections that were opened before this time are closed instead of used again.
    replaced: Option<Instant>,
    /// A connection did not respond in time after it was released.
    has_silent: bool,
    last_release: Instant,
    /// Number of changes, to notice one while the pool is read.
    changes: u64,
}

/// Returns the time at which a connection was opened.
pub(super) fn opened_at(metadata: &PoolConnectionMetadata) -> Option<Instant> {
    Instant::now().checked_sub(metadata.age)
}

impl Uses {
    fn is_old(&self, opened: Option<Instant>) -> bool {
        self.replaced.is_some_and(|replaced| opened < Some(replaced))
    }
}

impl DeadConnections {
    pub(super) fn new(timeout: DatabaseTimeout) -> Self {
        let uses = Uses {
            used: 0,
            used_old: 0,
            replaced: None,
            has_silent: false,
            last_release: Instant::now(),
            changes: 0,
        };
        Self {
            timeout,
            uses: Mutex::new(uses),
        }
    }

    fn uses(&self) -> MutexGuard<'_, Uses> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the use of a new connection.
    pub(super) fn open(&self) {
        let mut uses = self.uses();
        uses.changes += 1;
        uses.used += 1;
    }

    /// Records the use of a connection, or returns false if it must be closed.
    pub(super) fn acquire(&self, opened: Option<Instant>) -> bool {
        let mut uses = self.uses();
        if uses.is_old(opened) {
            return false;
        }
        uses.changes += 1;
        uses.used += 1;
        true
    }

    /// Records the end of a use. Returns whether the connection may be used again.
    pub(super) fn release(&self, opened: Option<Instant>, is_silent: bool) -> bool {
        let mut uses = self.uses();
        uses.changes += 1;
        uses.used = uses.used.saturating_sub(1);
        uses.last_release = Instant::now();
        let is_old = uses.is_old(opened);
        if is_old {
            uses.used_old = uses.used_old.saturating_sub(1);
        } else if is_silent {
            uses.has_silent = true;
        }
        !is_old && !is_silent
    }

    /// Ends the process if connections stay dead after an outage.
    pub(super) async fn watch(&self, process: &Process, pool: &PgPool) {
        while !pool.is_closed() {
            tokio::time::sleep(WATCH_INTERVAL).await;
            if !self.is_suspicious(pool) {
                continue;
            }
            tracing::warn!("connections to the database do not respond; will replace them");
            self.wait_for_database(pool).await;
            self.replace_all();
            // Longer than the timeouts of the work and of its rollback together. Random, so that replicas do not end together.
            let window = backoff::jittered(self.timeout.0 * 2);
            if tokio::time::timeout(window, self.wait_until_replaced(pool))
                .await
                .is_err()
            {
                process.fail("connections to the database stay dead after an outage");
                return;
            }
            tracing::info!("all connections to the database are replaced");
        }
    }

    fn is_suspicious(&self, pool: &PgPool) -> bool {
        let uses = self.uses();
        let max = usize::try_from(pool.options().get_max_connections()).unwrap_or(usize::MAX);
        let is_stalled = taken(pool) >= max && uses.last_release.elapsed() > self.timeout.0;
        uses.has_silent || is_stalled
    }

    /// Waits until a new connection, which is not of the pool, works.
    async fn wait_for_database(&self, pool: &PgPool) {
        let options = pool.connect_options();
        let connect = async || {
            let mut connection = options.connect().await?;
            connection.ping().await?;
            connection.close().await
        };
        while let Err(error) = self.timeout.limit(connect()).await {
            tracing::debug!(%error, "database unavailable");
            tokio::time::sleep(RECONNECT_INTERVAL).await;
        }
    }

    fn replace_all(&self) {
        let mut uses = self.uses();
        uses.replaced = Some(Instant::now());
        uses.used_old = uses.used;
        uses.has_silent = false;
    }

    async fn wait_until_replaced(&self, pool: &PgPool) {
        while !self.are_replaced(pool) {
            tokio::time::sleep(SAMPLE_INTERVAL).await;
        }
    }

    /// Returns whether no old connection is in use, and at this instant none is being opened, tested or closed. A test of a dead
    /// connection does not end, but others take milliseconds.
    fn are_replaced(&self, pool: &PgPool) -> bool {
        let (changes, used, used_old) = {
            let uses = self.uses();
            (uses.changes, uses.used, uses.used_old)
        };
        let is_quiet = taken(pool) <= used && self.uses().changes == changes;
        used_old == 0 && is_quiet
    }
}

/// Returns the number of the pool's connections that are not idle.
fn taken(pool: &PgPool) -> usize {
    let size = usize::try_from(pool.size()).unwrap_or(usize::MAX);
    size.saturating_sub(pool.num_idle())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections() -> DeadConnections {
        DeadConnections::new(DatabaseTimeout(Duration::from_secs(20)))
    }

    #[test]
    fn connections_of_before_an_outage_are_closed_when_they_are_released_or_acquired() {
        let connections = connections();
        let opened = Some(Instant::now());
        connections.open();
        connections.open();
        assert!(connections.release(opened, false));
        assert!(connections.acquire(opened));

        connections.replace_all();
        assert_eq!(connections.uses().used_old, 2);
        assert!(!connections.acquire(opened));
        assert!(!connections.release(opened, false));
        assert_eq!(connections.uses().used_old, 1);

        let opened_later = Some(Instant::now());
        connections.open();
        assert!(connections.release(opened_later, false));
        assert!(connections.acquire(opened_later));
        assert_eq!(connections.uses().used_old, 1);
    }

    #[test]
    fn a_silent_connection_of_before_an_outage_reports_no_further_outage() {
        let connections = connections();
        let opened = Some(Instant::now());
        connections.open();
        connections.open();
        assert!(!connections.release(opened, true));
        assert!(connections.uses().has_silent);
        connections.replace_all();
        assert!(!connections.release(opened, true));
        assert!(!connections.uses().has_silent);
    }
}
