//! Measures gRPC calls by method and status.

use std::{
    collections::HashSet,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use anyhow::Context as _;
use http::HeaderMap;
use opentelemetry::KeyValue;
use prost::Message;
use prost_types::FileDescriptorSet;
use tonic::{Code, Status};
use tower::{Layer, Service};

use crate::metrics::{DurationHistogram, Timer};

static SERVER_DURATION: DurationHistogram = DurationHistogram::new(
    "rpc.server.call.duration",
    "Duration of gRPC calls that this process serves",
);
static CLIENT_DURATION: DurationHistogram = DurationHistogram::new(
    "rpc.client.call.duration",
    "Duration of gRPC calls that this process makes",
);

const STATUS_LABEL: &str = "rpc.response.status_code";
/// Status of calls that end because the caller disconnected or the deadline passed.
const DROPPED: (&str, &str) = (STATUS_LABEL, code_name(Code::Cancelled));

/// Measures a call that this process makes. `method` comes from a generated client, so the number of label values is
/// limited.
pub(super) fn start_client_call(method: &str) -> Option<Timer> {
    Timer::start(&CLIENT_DURATION, || vec![method_label(method)], DROPPED)
}

/// Records the status of a response, or `Unavailable` if there is none.
pub(super) fn finish_call(timer: Option<Timer>, headers: Option<&HeaderMap>) {
    if let Some(timer) = timer {
        timer.finish(code_name(headers.map_or(Code::Unavailable, code)));
    }
}

/// Measures the calls of a server by method.
#[derive(Debug, Clone)]
pub(super) struct CallMetricsLayer {
    methods: Arc<HashSet<String>>,
}

impl CallMetricsLayer {
    /// # Errors
    /// The descriptors cannot be decoded.
    pub(super) fn new(descriptors: &[u8]) -> anyhow::Result<Self> {
        let descriptors = FileDescriptorSet::decode(descriptors).context("cannot decode descriptors")?;
        let methods = descriptors.file.iter().flat_map(|file| {
            file.service.iter().flat_map(|service| {
                service
                    .method
                    .iter()
                    .map(|method| format!("/{}.{}/{}", file.package(), service.name(), method.name()))
            })
        });
        Ok(Self {
            methods: Arc::new(methods.collect()),
        })
    }
}

impl<S> Layer<S> for CallMetricsLayer {
    type Service = CallMetrics<S>;

    fn layer(&self, inner: S) -> CallMetrics<S> {
        CallMetrics {
            inner,
            methods: Arc::clone(&self.methods),
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct CallMetrics<S> {
    inner: S,
    methods: Arc<HashSet<String>>,
}

impl<S> CallMetrics<S> {
    /// Does not measure health checks and reflection. Unknown methods share one label value, because callers can send
    /// any name.
    fn start(&self, path: &str) -> Option<Timer> {
        if path.starts_with("/grpc.") {
            return None;
        }
        let method = if self.methods.contains(path) {
            path
        } else {
            "unknown"
        };
        Timer::start(&SERVER_DURATION, || vec![method_label(method)], DROPPED)
    }
}

impl<S, B, R> Service<http::Request<B>> for CallMetrics<S>
where
    S: Service<http::Request<B>, Response = http::Response<R>>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        let timer = self.start(request.uri().path());
        let response = self.inner.call(request);
        Box::pin(async move {
            let response = response.await?;
            finish_call(timer, Some(response.headers()));
            Ok(response)
        })
    }
}

fn method_label(method: &str) -> KeyValue {
    KeyValue::new("rpc.method", method.trim_start_matches('/').to_owned())
}

/// Returns the status of a response. An error has no body, so its status is in the headers; without one, the call
/// succeeded.
fn code(headers: &HeaderMap) -> Code {
    Status::from_header_map(headers).map_or(Code::Ok, |status| status.code())
}

const fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
