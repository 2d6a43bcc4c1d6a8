//! Calls to the replicas of one process. A call that the chosen replica has not processed is sent to another one. An
//! idempotent call that failed is retried once at another replica, within a budget.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use http::{HeaderMap, HeaderValue, request};
use http_body_util::{BodyExt, Full};
use tokio::time::Instant;
use tonic::{ConnectError, Status, TimeoutExpired, body::Body};
use tower::{
    Service, ServiceExt,
    retry::budget::{Budget, TpsBudget},
};

use super::{
    address::AddressList,
    call_metrics, deadline,
    failure::{BoxError, CallFailure, FailureKind},
    replica::{Health, Replica},
    replicas::Replicas,
};
use crate::service_error;

/// Maximum number of replicas that one call is sent to.
const MAX_ATTEMPTS: usize = 3;
/// Maximum share of the idempotent calls that may be retried, in addition to a minimum per second. Retries must not
/// double the load of overloaded replicas.
const RETRY_RATIO: f32 = 0.2;
const MIN_RETRIES_PER_SECOND: u32 = 10;
const BUDGET_WINDOW: Duration = Duration::from_secs(10);

/// Time after which a call without a response triggers a health check of its replica.
const SLOW_CALL: Duration = Duration::from_secs(1);

const TIMEOUT_HEADER: &str = "grpc-timeout";

/// Returns whether a method may be called twice, given its path.
pub type IsIdempotent = fn(&str) -> bool;

/// Sends calls to the replicas of one process. All methods of this product are unary.
#[derive(Debug, Clone)]
pub struct Connection {
    replicas: Arc<Replicas>,
    budget: Arc<TpsBudget>,
    pub(super) is_idempotent: IsIdempotent,
    pub(super) is_read: IsIdempotent,
}

impl Connection {
    pub(super) fn new(addresses: AddressList) -> Self {
        Self {
            replicas: Arc::new(Replicas::of(addresses)),
            budget: Arc::new(TpsBudget::new(BUDGET_WINDOW, MIN_RETRIES_PER_SECOND, RETRY_RATIO)),
            is_idempotent: |_| false,
            is_read: |_| false,
        }
    }

    async fn send(self, request: http::Request<Body>) -> Result<http::Response<Body>, BoxError> {
        let (head, body) = request.into_parts();
        let mut call = Call {
            is_idempotent: (self.is_idempotent)(head.uri.path()),
            is_read: (self.is_read)(head.uri.path()),
            deadline: deadline_of(&head),
            // The message of a unary call is one frame, which is not copied.
            message: Full::new(body.collect().await?.to_bytes()),
            head,
        };
        if call.is_idempotent {
            self.budget.deposit();
        }
        let (mut tried, mut may_repeat) = (Vec::new(), call.is_idempotent);
        let mut attempts = 1;
        loop {
            let Some(open) = self.replicas.choose(&tried).await else {
                return Err(ConnectError("no address is known".into()).into());
            };
            let replica = open.replica();
            let failure = match self.attempt(&call, replica).await {
                Ok(response) => {
                    replica.record_response();
                    log_rejected_token(replica, &call.head, response.headers());
                    return Ok(response);
                }
                Err(failure) => failure,
            };
            replica.check_health();
            if failure.kind != FailureKind::TimedOut {
                self.replicas.request_refresh();
            }
            let is_retry = attempts < MAX_ATTEMPTS
                && call.has_time()
                && match failure.kind {
                    FailureKind::Unreachable => self.replicas.has_untried(&tried, replica),
                    FailureKind::NotProcessed => true,
                    FailureKind::TimedOut | FailureKind::Lost => {
                        std::mem::take(&mut may_repeat) && self.budget.withdraw()
                    }
                };
            if !is_retry {
                return Err(failure.error);
            }
            tracing::debug!(replica = %replica.address, method = call.head.uri.path(), kind = ?failure.kind, error = %failure.error, "call failed; will retry");
            if self.replicas.has_untried(&tried, replica) {
                tried.push(Arc::clone(replica));
            }
            call.shorten_timeout();
            attempts += 1;
        }
    }

    async fn attempt(
        &self,
        call: &Call,
        replica: &Arc<Replica>,
    ) -> Result<http::Response<Body>, CallFailure> {
        tokio::select! {
            biased;
            response = call.response_from(replica) => response,
            () = wait(self.time_limit(call, replica)) => Err(BoxError::from(TimeoutExpired(())).into()),
            () = self.wait_until_lost(call, replica) => Err(BoxError::from(TimeoutExpired(())).into()),
        }
    }

    /// Checks the health of a replica that has not responded for a while, so that no further calls wait for it. Returns if it does not
    /// respond to the check either and the call can be repeated at another replica; otherwise never.
    async fn wait_until_lost(&self, call: &Call, replica: &Arc<Replica>) {
        tokio::time::sleep(SLOW_CALL).await;
        replica.check_health();
        let is_lost = replica.health().await == Health::NoResponse && self.replicas.has_alternative(replica);
        if !(is_lost && call.is_idempotent) {
            std::future::pending::<()>().await;
        }
    }

    /// Returns the time limit of one attempt: half of the remaining time if the call only reads and another replica is
    /// available.
    fn time_limit(&self, call: &Call, replica: &Arc<Replica>) -> Option<Duration> {
        let time = call.deadline?.saturating_duration_since(Instant::now());
        let can_repeat = call.is_read && self.replicas.has_alternative(replica);
        Some(if can_repeat { time / 2 } else { time })
    }
}

/// A call that can be sent several times.
struct Call {
    head: request::Parts,
    message: Full<bytes::Bytes>,
    deadline: Option<Instant>,
    is_idempotent: bool,
    is_read: bool,
}

impl Call {
    async fn response_from(&self, replica: &Replica) -> Result<http::Response<Body>, CallFailure> {
        let request = http::Request::from_parts(self.head.clone(), Body::new(self.message.clone()));
        let mut channel = replica.channel.clone();
        let ready = channel.ready().await.map_err(BoxError::from)?;
        let response = ready.call(request).await.map_err(BoxError::from)?;
        if self.is_idempotent {
            complete(response).await
        } else {
            Ok(response)
        }
    }

    fn has_time(&self) -> bool {
        self.deadline.is_none_or(|deadline| deadline > Instant::now())
    }

    /// Sets `grpc-timeout` to the remaining time before the call is sent to the next replica.
    fn shorten_timeout(&mut self) {
        if let Some(deadline) = self.deadline {
            let time = deadline::format(deadline.saturating_duration_since(Instant::now()));
            if let Ok(time) = HeaderValue::try_from(time) {
                self.head.headers.insert(TIMEOUT_HEADER, time);
            }
        }
    }
}

/// Waits for a time; forever without one.
async fn wait(time: Option<Duration>) {
    match time {
        Some(time) => tokio::time::sleep(time).await,
        None => std::future::pending().await,
    }
}

fn deadline_of(head: &request::Parts) -> Option<Instant> {
    let timeout = head.headers.get(TIMEOUT_HEADER)?.to_str().ok()?;
    Some(Instant::now() + deadline::parse(timeout)?)
}

/// Waits for the whole response, so that a call can be retried if the connection fails during the response.
async fn complete(response: http::Response<Body>) -> Result<http::Response<Body>, CallFailure> {
    const STATUS: &str = "grpc-status";
    let (head, body) = response.into_parts();
    let body = body.collect().await.map_err(BoxError::from)?;
    let has_status = head.headers.contains_key(STATUS)
        || body
            .trailers()
            .is_some_and(|trailers| trailers.contains_key(STATUS));
    if !has_status {
        return Err(BoxError::from("the response was truncated").into());
    }
    Ok(http::Response::from_parts(head, Body::new(body)))
}

impl Service<http::Request<Body>> for Connection {
    type Response = http::Response<Body>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let timer = call_metrics::start_client_call(request.uri().path());
        let response = self.clone().send(request);
        Box::pin(async move {
            let response = response.await;
            call_metrics::finish_call(timer, response.as_ref().ok().map(http::Response::headers));
            response
        })
    }
}

/// Logs the rejection with the address, because the error that callers get does not contain it. The status of a
/// rejected call is in the headers, because it has no body.
fn log_rejected_token(replica: &Replica, call: &request::Parts, headers: &HeaderMap) {
    let error = Status::from_header_map(headers)
        .as_ref()
        .and_then(service_error::rejected_token)
        .map(str::to_owned);
    if let Some(error) = error {
        tracing::error!(
            address = format!("http://{}", replica.address),
            method = call.uri.path(),
            error,
            "caller token rejected by the callee; CALLER_SECRET must be the same in all processes"
        );
    }
}
