//! Limits on requests in progress. Above the capacity of the system, more concurrent requests only increase the latency of
//! all, until all of them miss their deadline.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use kit::ErrorCode;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use crate::config::AdmissionConfig;
use crate::error::ApiError;

/// Requests that start an order. They have their own lower limit, so that orders in progress can be read, accepted and
/// canceled while new ones are rejected.
const NEW_ORDER_PATHS: [&str; 2] = ["/api/consumer/order/pricing", "/api/consumer/order/create"];

/// Uploads at the same time. Each has up to 8 MB, several times in memory until the call to its service ends.
const MAX_UPLOADS: usize = 8;

const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Admits requests up to the limit of their class.
#[derive(Debug, Clone)]
pub(crate) struct Admission(Arc<Classes>);

#[derive(Debug)]
struct Classes {
    new_orders: RequestClass,
    other: RequestClass,
    /// From before their body is read.
    uploads: Semaphore,
}

impl Admission {
    pub(crate) fn new(config: AdmissionConfig) -> Self {
        let class = |max_requests| RequestClass::new(max_requests, config.queue_timeout());
        Self(Arc::new(Classes {
            new_orders: class(config.max_new_orders),
            other: class(config.max_requests),
            uploads: Semaphore::new(MAX_UPLOADS),
        }))
    }

    /// Admits calls that a response can do without, and never waits. `None` at the limit.
    pub(crate) fn try_admit(&self) -> Option<[SemaphorePermit<'_>; 2]> {
        let class = &self.0.other;
        let admitted = class.admitted.try_acquire().ok()?;
        Some([admitted, class.in_progress.try_acquire().ok()?])
    }

    fn class_of(&self, path: &str) -> &RequestClass {
        if NEW_ORDER_PATHS.contains(&path) {
            &self.0.new_orders
        } else {
            &self.0.other
        }
    }
}

/// Requests that share a limit.
#[derive(Debug)]
struct RequestClass {
    /// Requests in progress.
    in_progress: Semaphore,
    /// Requests in progress, and the same number of waiting requests.
    admitted: Semaphore,
    queue_timeout: Duration,
}

impl RequestClass {
    fn new(max_requests: usize, queue_timeout: Duration) -> Self {
        Self {
            in_progress: Semaphore::new(max_requests),
            admitted: Semaphore::new(max_requests * 2),
            queue_timeout,
        }
    }

    /// # Errors
    /// `OVERLOADED` if the queue is full, or the request waited for too long.
    async fn admit(&self) -> Result<[SemaphorePermit<'_>; 2], ApiError> {
        let admitted = self.admitted.try_acquire().map_err(|_| overloaded())?;
        match timeout(self.queue_timeout, self.in_progress.acquire()).await {
            Ok(Ok(in_progress)) => Ok([admitted, in_progress]),
            _ => Err(overloaded()),
        }
    }
}

fn overloaded() -> ApiError {
    let message = "We're very busy right now. Please try again in a moment.";
    kit::ServiceError::new(ErrorCode::Unavailable, "OVERLOADED", message)
        .with_retry_after(RETRY_AFTER)
        .into()
}

/// Rejects requests above the limits before they use other resources.
///
/// # Errors
/// `OVERLOADED`.
pub(crate) async fn limit_requests(
    State(admission): State<Admission>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let _admitted = admission.class_of(request.uri().path()).admit().await?;
    Ok(next.run(request).await)
}

/// Rejects uploads above the limit before their body is read.
///
/// # Errors
/// `OVERLOADED`.
pub(crate) async fn limit_uploads(
    State(admission): State<Admission>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let _place = admission.0.uploads.try_acquire().map_err(|_| overloaded())?;
    Ok(next.run(request).await)
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn_with_state;
    use axum::routing::any;
    use futures::future::join_all;
    use http::StatusCode;
    use http::header::RETRY_AFTER;
    use tokio::sync::Notify;
    use tower::ServiceExt;

    use super::*;

    const READ: &str = "/api/consumer/stores/list";
    const NEW_ORDER: &str = "/api/consumer/order/create";
    const LIMITS: AdmissionConfig = AdmissionConfig::for_tests(4, 2, 30_000);

    /// A backend that completes a request when the test releases it.
    #[derive(Clone)]
    struct Backend {
        started: Arc<Notify>,
        end: Arc<Semaphore>,
    }

    impl Backend {
        fn new() -> Self {
            Self {
                started: Arc::default(),
                end: Arc::new(Semaphore::new(0)),
            }
        }

        fn behind(&self, config: AdmissionConfig) -> Router {
            let backend = self.clone();
            let handler = move || {
                let backend = backend.clone();
                async move {
                    backend.started.notify_one();
                    backend.end.acquire().await.unwrap().forget();
                }
            };
            Router::new()
                .fallback(any(handler))
                .layer(from_fn_with_state(Admission::new(config), limit_requests))
        }

        fn end_requests(&self, count: usize) {
            self.end.add_permits(count);
        }
    }

    async fn send(router: &Router, path: &str) -> Response {
        let request = Request::get(path).body(Body::empty()).unwrap();
        router.clone().oneshot(request).await.unwrap()
    }

    fn count(responses: &[Response], status: StatusCode) -> usize {
        responses
            .iter()
            .filter(|response| response.status() == status)
            .count()
    }

    #[tokio::test]
    async fn requests_above_limit_and_queue_are_rejected_immediately_and_the_others_succeed() {
        let backend = Backend::new();
        let router = backend.behind(LIMITS);
        // No request has ended yet when the last one arrives.
        let requests = join_all((0..20).map(|_| send(&router, READ)));
        let end = async {
            backend.started.notified().await;
            backend.end_requests(8);
        };
        let (responses, ()) = futures::join!(requests, end);
        assert_eq!(count(&responses, StatusCode::OK), 8);
        assert_eq!(count(&responses, StatusCode::SERVICE_UNAVAILABLE), 12);
        let rejected = responses
            .into_iter()
            .find(|response| response.status() == StatusCode::SERVICE_UNAVAILABLE)
            .unwrap();
        assert_eq!(rejected.headers()[RETRY_AFTER], "2");
        let body = axum::body::to_bytes(rejected.into_body(), 10_000).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["reason"], "OVERLOADED");
    }

    #[tokio::test]
    async fn a_rejected_request_frees_its_place() {
        let backend = Backend::new();
        let router = backend.behind(AdmissionConfig::for_tests(1, 1, 20));
        let blocked = tokio::spawn({
            let router = router.clone();
            async move { send(&router, READ).await.status() }
        });
        backend.started.notified().await;
        for _ in 0..3 {
            // The queue has one place: a request that stayed in it would reject the next one immediately.
            let status = send(&router, READ).await.status();
            assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        }
        backend.end_requests(2);
        assert_eq!(blocked.await.unwrap(), StatusCode::OK);
        assert_eq!(send(&router, READ).await.status(), StatusCode::OK);
    }

    #[test]
    fn optional_calls_are_not_admitted_at_the_limit() {
        let admission = Admission::new(LIMITS);
        let admitted: Vec<_> = (0..4).map_while(|_| admission.try_admit()).collect();
        assert_eq!(admitted.len(), 4);
        assert!(admission.try_admit().is_none());
        drop(admitted);
        assert!(admission.try_admit().is_some());
    }

    #[tokio::test]
    async fn uploads_above_their_limit_are_rejected_until_others_have_ended() {
        let backend = Backend::new();
        let router = backend
            .behind(AdmissionConfig::for_tests(100, 100, 30_000))
            .layer(from_fn_with_state(Admission::new(LIMITS), limit_uploads));
        let uploads = join_all((0..MAX_UPLOADS + 3).map(|_| send(&router, READ)));
        let end = async {
            backend.started.notified().await;
            backend.end_requests(MAX_UPLOADS + 1);
        };
        let (responses, ()) = futures::join!(uploads, end);
        assert_eq!(count(&responses, StatusCode::OK), MAX_UPLOADS);
        assert_eq!(count(&responses, StatusCode::SERVICE_UNAVAILABLE), 3);
        assert_eq!(send(&router, READ).await.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn new_orders_at_their_limit_do_not_delay_other_requests() {
        let backend = Backend::new();
        let router = backend.behind(LIMITS);
        let orders = join_all((0..10).map(|_| send(&router, NEW_ORDER)));
        let reads = async {
            backend.started.notified().await;
            let blocked_reads = join_all((0..4).map(|_| send(&router, READ)));
            let end = async { backend.end_requests(2 + 4 + 2) };
            futures::join!(blocked_reads, end).0
        };
        let (orders, reads) = futures::join!(orders, reads);
        assert_eq!(count(&orders, StatusCode::OK), 4);
        assert_eq!(count(&reads, StatusCode::OK), 4);
    }
}
