//! Responses in memory. Concurrent requests for a missing response share one load. From half of its maximum age, a response
//! is sent while it is loaded again.

use std::any::TypeId;
use std::fmt;
use std::future::{Future, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kit::ServiceError;
use moka::future::Cache;
use moka::ops::compute::Op;
use tokio::time::Instant;

use super::response::PublicResponse;

/// Size of all entries together.
const MAX_BYTES: u64 = 64 << 20;
/// Approximate size of an entry without its key and its body.
const ENTRY_OVERHEAD_BYTES: usize = 512;

/// What is cached: a view of the response to a request, at a version of the data.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) version: u64,
    /// Type of the request and of the view.
    pub(super) view: TypeId,
    /// The encoded request.
    pub(super) request: Vec<u8>,
}

type LoadResult = Result<PublicResponse, ServiceError>;

#[derive(Debug)]
struct Entry {
    /// An error is returned to the requests that waited for the load, and never from the cache.
    result: LoadResult,
    /// When the load started. The data is not older.
    loaded_at: Instant,
    max_age: Duration,
    is_refreshing: AtomicBool,
}

impl Entry {
    fn is_usable(&self, now: Instant) -> bool {
        self.result.is_ok() && now.saturating_duration_since(self.loaded_at) < self.max_age
    }

    /// Returns `true` once, for the first request that finds the entry older than half of its maximum age.
    fn starts_refresh(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.loaded_at) >= self.max_age / 2
            && !self.is_refreshing.swap(true, Ordering::Relaxed)
    }
}

/// Returns the current time. Tests advance their own.
pub(super) type Clock = Arc<dyn Fn() -> Instant + Send + Sync>;

#[derive(Clone)]
pub(super) struct ResponseCache {
    entries: Cache<Key, Arc<Entry>>,
    clock: Clock,
}

impl fmt::Debug for ResponseCache {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ResponseCache").finish_non_exhaustive()
    }
}

impl ResponseCache {
    /// Creates a cache that removes entries after `max_age`.
    pub(super) fn new(max_age: Duration, clock: Clock) -> Self {
        let entries = Cache::builder()
            .max_capacity(MAX_BYTES)
            .weigher(weight)
            .time_to_live(max_age)
            .build();
        Self { entries, clock }
    }

    /// Returns a response that is not older than `max_age`, from the cache or from `load`.
    pub(super) async fn get<L, F>(&self, key: Key, max_age: Duration, load: L) -> LoadResult
    where
        L: Fn() -> F,
        F: Future<Output = LoadResult> + Send + 'static,
    {
        let arrived_at = (self.clock)();
        loop {
            let entry = self
                .entries
                .entry_by_ref(&key)
                .or_insert_with_if(
                    async { load_entry(&self.clock, max_age, load()).await },
                    |entry| !entry.is_usable((self.clock)()),
                )
                .await
                .into_value();
            let now = (self.clock)();
            // A load that started before this request may have taken longer than the maximum age.
            if entry.result.is_ok() && entry.loaded_at < arrived_at && !entry.is_usable(now) {
                continue;
            }
            if entry.is_usable(now) && entry.starts_refresh(now) {
                tokio::spawn(self.clone().refresh(key, max_age, load()));
            }
            return entry.result.clone();
        }
    }

    /// Replaces an entry. After an error, the entry is used until its maximum age.
    async fn refresh(self, key: Key, max_age: Duration, load: impl Future<Output = LoadResult> + Send) {
        let refreshed = load_entry(&self.clock, max_age, load).await;
        if let Err(error) = &refreshed.result {
            tracing::debug!(%error, "cached response not refreshed");
            return;
        }
        // Another request may have loaded it again in the meantime.
        self.entries
            .entry(key)
            .and_compute_with(|current| {
                let is_newer = current.is_none_or(|current| current.value().loaded_at < refreshed.loaded_at);
                ready(if is_newer { Op::Put(refreshed) } else { Op::Nop })
            })
            .await;
    }
}

async fn load_entry(clock: &Clock, max_age: Duration, load: impl Future<Output = LoadResult>) -> Arc<Entry> {
    let loaded_at = clock();
    Arc::new(Entry {
        result: load.await,
        loaded_at,
        max_age,
        is_refreshing: AtomicBool::new(false),
    })
}

fn weight(key: &Key, entry: &Arc<Entry>) -> u32 {
    let body = entry.result.as_ref().map_or(0, PublicResponse::size);
    u32::try_from(ENTRY_OVERHEAD_BYTES + key.request.len() + body).unwrap_or(u32::MAX)
}
