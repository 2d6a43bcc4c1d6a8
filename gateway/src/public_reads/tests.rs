//! Age, coalescing and refreshing of cached responses.

use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

use kit::ServiceError;
use tokio::sync::{Semaphore, oneshot};

use super::*;

const MAX_AGE: Duration = Duration::from_mins(1);
const HALF_AGE: Duration = Duration::from_secs(30);
const LAST_USABLE_AGE: Duration = Duration::from_millis(59_999);
const FROM_HALF_TO_LAST_USABLE_AGE: Duration = Duration::from_millis(29_999);

/// A cache with a clock that the test advances, and a source that returns the number of its loads.
struct Fixture {
    cache: ResponseCache,
    now: Arc<Mutex<Instant>>,
    source: Arc<Source>,
}

struct Source {
    loads: AtomicUsize,
    fails: AtomicBool,
    /// A load finishes when it gets a permit.
    permits: Semaphore,
}

impl Source {
    async fn load(self: Arc<Self>) -> Result<PublicResponse, ServiceError> {
        let load = self.loads.fetch_add(1, Ordering::SeqCst) + 1;
        self.permits.acquire().await.unwrap().forget();
        if self.fails.load(Ordering::SeqCst) {
            return Err(ServiceError::unavailable());
        }
        Ok(PublicResponse::encode(load).unwrap())
    }
}

impl Fixture {
    fn new() -> Self {
        let now = Arc::new(Mutex::new(Instant::now()));
        let clock = Arc::clone(&now);
        Self {
            cache: ResponseCache::new(MAX_AGE, Arc::new(move || *clock.lock().unwrap())),
            now,
            source: Arc::new(Source {
                loads: AtomicUsize::new(0),
                fails: AtomicBool::new(false),
                permits: Semaphore::new(1_000),
            }),
        }
    }

    fn advance(&self, time: Duration) {
        *self.now.lock().unwrap() += time;
    }

    fn loads(&self) -> usize {
        self.source.loads.load(Ordering::SeqCst)
    }

    /// Returns the number of the load that the response comes from.
    async fn get(&self) -> Result<usize, ServiceError> {
        let key = Key {
            version: 0,
            view: TypeId::of::<()>(),
            request: Vec::new(),
        };
        let source = Arc::clone(&self.source);
        let response = self
            .cache
            .get(key, MAX_AGE, || Arc::clone(&source).load())
            .await?;
        let body = axum::body::to_bytes(response.into_response().into_body(), 1_000)
            .await
            .unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        Ok(usize::try_from(body["data"].as_u64().unwrap()).unwrap())
    }

    /// Starts 50 requests before the first load finishes.
    async fn get_concurrently(&self) -> Vec<Result<usize, ServiceError>> {
        self.source.permits.forget_permits(1_000);
        let requests = futures::future::join_all((0..50).map(|_| self.get()));
        let release = async {
            self.wait_for_loads(1).await;
            self.source.permits.add_permits(1_000);
        };
        tokio::join!(requests, release).0
    }

    /// Waits until this number of loads has started.
    async fn wait_for_loads(&self, loads: usize) {
        while self.loads() < loads {
            tokio::task::yield_now().await;
        }
    }

    /// Starts a request and waits until it has started a load.
    async fn spawn_get(self: &Arc<Self>) -> oneshot::Receiver<Result<usize, ServiceError>> {
        let (sender, receiver) = oneshot::channel();
        let (fixture, loads) = (Arc::clone(self), self.loads());
        tokio::spawn(async move { sender.send(fixture.get().await) });
        self.wait_for_loads(loads + 1).await;
        receiver
    }
}

#[tokio::test]
async fn concurrent_requests_share_one_load() {
    let fixture = Fixture::new();
    let responses = fixture.get_concurrently().await;
    assert!(responses.into_iter().all(|load| load == Ok(1)));
    assert_eq!(fixture.get().await, Ok(1));
    assert_eq!(fixture.loads(), 1);
}

#[tokio::test]
async fn concurrent_requests_share_an_error_that_is_not_cached() {
    let fixture = Fixture::new();
    fixture.source.fails.store(true, Ordering::SeqCst);
    let responses = fixture.get_concurrently().await;
    assert!(responses.iter().all(Result::is_err));
    assert_eq!(fixture.loads(), 1);
    fixture.source.fails.store(false, Ordering::SeqCst);
    assert_eq!(fixture.get().await, Ok(2));
}

#[tokio::test]
async fn a_response_is_not_used_at_its_maximum_age() {
    let fixture = Fixture::new();
    assert_eq!(fixture.get().await, Ok(1));
    fixture.advance(MAX_AGE);
    assert_eq!(fixture.get().await, Ok(2));
}

#[tokio::test]
async fn an_old_response_is_used_while_one_refresh_loads_it_again() {
    let fixture = Fixture::new();
    assert_eq!(fixture.get().await, Ok(1));
    fixture.advance(HALF_AGE);
    fixture.source.permits.forget_permits(1_000);
    for _ in 0..10 {
        assert_eq!(fixture.get().await, Ok(1));
    }
    fixture.wait_for_loads(2).await;
    fixture.source.permits.add_permits(1);
    while fixture.get().await != Ok(2) {
        tokio::task::yield_now().await;
    }
    assert_eq!(fixture.loads(), 2);
    // Its age counts from the start of the refresh.
    fixture.advance(LAST_USABLE_AGE);
    assert_eq!(fixture.get().await, Ok(2));
}

#[tokio::test]
async fn after_a_failed_refresh_the_response_is_used_until_its_maximum_age() {
    let fixture = Fixture::new();
    assert_eq!(fixture.get().await, Ok(1));
    fixture.source.fails.store(true, Ordering::SeqCst);
    fixture.advance(HALF_AGE);
    assert_eq!(fixture.get().await, Ok(1));
    fixture.wait_for_loads(2).await;
    fixture.advance(FROM_HALF_TO_LAST_USABLE_AGE);
    assert_eq!(fixture.get().await, Ok(1));
    fixture.advance(Duration::from_millis(1));
    assert!(fixture.get().await.is_err());
}

#[tokio::test]
async fn a_request_does_not_use_a_load_that_took_longer_than_the_maximum_age() {
    let fixture = Arc::new(Fixture::new());
    fixture.source.permits.forget_permits(1_000);
    let early = fixture.spawn_get().await;
    fixture.advance(MAX_AGE);
    let (sender, late) = oneshot::channel();
    let other = Arc::clone(&fixture);
    tokio::spawn(async move { sender.send(other.get().await) });
    // The second request waits for the load of the first one.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    fixture.source.permits.add_permits(2);
    assert_eq!(early.await.unwrap(), Ok(1));
    assert_eq!(late.await.unwrap(), Ok(2));
}

#[tokio::test]
async fn a_load_continues_for_others_when_the_first_client_disconnects() {
    let fixture = Arc::new(Fixture::new());
    fixture.source.permits.forget_permits(1_000);
    let first = tokio::spawn({
        let fixture = Arc::clone(&fixture);
        async move { fixture.get().await }
    });
    fixture.wait_for_loads(1).await;
    let second = tokio::spawn({
        let fixture = Arc::clone(&fixture);
        async move { fixture.get().await }
    });
    first.abort();
    fixture.wait_for_loads(2).await;
    fixture.source.permits.add_permits(1);
    assert_eq!(second.await.unwrap(), Ok(2));
}
