//! What happens around each call served: a span in the caller's trace, its deadline, the check of who calls.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::Instant;
use tonic::{Request, Status, metadata::AsciiMetadataValue, service::Interceptor};
use tower::{Layer, Service};
use tracing::Instrument;

use super::{correlation, deadline};
use crate::{
    caller::{CallerKey, TokenError},
    service_error::ServiceError,
    telemetry,
};

/// How long we work for a caller that sets no deadline.
const USUAL: Duration = Duration::from_secs(30);

/// Refuses calls without a caller token, and tells the call who calls.
#[derive(Debug, Clone)]
pub struct AuthInterceptor(pub(super) CallerKey);

impl Interceptor for AuthInterceptor {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let token = request
            .metadata()
            .get("authorization")
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "));
        let caller = token
            .ok_or(TokenError::Missing)
            .and_then(|token| self.0.verify(token));
        match caller {
            Ok(caller) => {
                request.extensions_mut().insert(caller);
                Ok(request)
            }
            Err(why) => {
                let from = request.remote_addr();
                tracing::error!(%why, ?from, "call refused: we cannot tell which of our processes makes it");
                Err(ServiceError::from(why).into())
            }
        }
    }
}

/// Puts each call into a span and under its deadline.
#[derive(Debug, Clone, Copy)]
pub(super) struct Calls;

impl<S> Layer<S> for Calls {
    type Service = InCall<S>;

    fn layer(&self, inner: S) -> InCall<S> {
        InCall(inner)
    }
}

#[derive(Debug, Clone)]
pub(super) struct InCall<S>(S);

impl<S, B, R> Service<http::Request<B>> for InCall<S>
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
        let span = if path.starts_with("/grpc.") {
            tracing::debug_span!("call", method = path)
        } else {
            tracing::info_span!(
                "call",
                otel.name = path.trim_start_matches('/'),
                otel.kind = "server",
                method = path,
                correlation_id = header(correlation::HEADER),
                order_id = tracing::field::Empty,
            )
        };
        telemetry::set_parent(&span, header("traceparent"));
        let time = header("grpc-timeout").and_then(deadline::parse).unwrap_or(USUAL);
        let id = header(correlation::HEADER).and_then(|id| AsciiMetadataValue::try_from(id).ok());
        // The service that is ready is ours; its clone takes our place for the next call.
        let ready = self.0.clone();
        let mut inner = std::mem::replace(&mut self.0, ready);
        let work = async move {
            let started = Instant::now();
            let response = inner.call(request).await;
            tracing::debug!(elapsed_ms = started.elapsed().as_millis(), "answered");
            response
        };
        Box::pin(deadline::within(time, correlation::within(id, work)).instrument(span))
    }
}
