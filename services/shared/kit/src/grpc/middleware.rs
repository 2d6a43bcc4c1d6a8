//! Server middleware: runs each call in a span of the caller's trace, under the caller's deadline and correlation id.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::Instant;
use tonic::metadata::AsciiMetadataValue;
use tower::{Layer, Service};
use tracing::Instrument;

use super::{correlation, deadline};
use crate::telemetry;

/// Deadline of a call without one.
const DEFAULT_DEADLINE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Copy)]
pub(super) struct CallContextLayer;

impl<S> Layer<S> for CallContextLayer {
    type Service = CallContext<S>;

    fn layer(&self, inner: S) -> CallContext<S> {
        CallContext(inner)
    }
}

#[derive(Debug, Clone)]
pub(super) struct CallContext<S>(S);

impl<S, B, R> Service<http::Request<B>> for CallContext<S>
where
    S: Service<http::Request<B>, Response = http::Response<R>> + Clone + Send + 'static,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
        let path = request.uri().path();
        // Health checks and reflection are frequent, so they are logged at debug level only.
        let span = if path.starts_with("/grpc.") {
            tracing::debug_span!("call", method = path)
        } else {
            tracing::info_span!(
                "call",
                otel.name = path.trim_start_matches('/'),
                otel.kind = "server",
                method = path,
                correlation_id = header(correlation::HEADER),
                // Recorded by the handler.
                aggregate_id = tracing::field::Empty,
            )
        };
        telemetry::set_parent(&span, header("traceparent"));
        let timeout = header("grpc-timeout")
            .and_then(deadline::parse)
            .unwrap_or(DEFAULT_DEADLINE);
        let correlation_id = header(correlation::HEADER).and_then(|id| AsciiMetadataValue::try_from(id).ok());
        // `poll_ready` made `self.0` ready, not its clone: use the ready service and keep the clone for the next call.
        let clone = self.0.clone();
        let mut inner = std::mem::replace(&mut self.0, clone);
        let call = async move {
            let started = Instant::now();
            let response = inner.call(request).await;
            tracing::debug!(elapsed_ms = started.elapsed().as_millis(), "call finished");
            response
        };
        Box::pin(deadline::within(timeout, correlation::within(correlation_id, call)).instrument(span))
    }
}
