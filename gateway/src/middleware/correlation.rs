//! Correlation id, span and deadline of every request.

use std::time::Duration;

use axum::RequestExt;
use axum::extract::{MatchedPath, RawPathParams, Request};
use axum::middleware::Next;
use axum::response::Response;
use http::header::CACHE_CONTROL;
use http::{HeaderMap, HeaderValue};
use kit::grpc::deadline;
use kit::telemetry;
use tracing::field::Empty;
use tracing::{Instrument, Span};
use types::OrderId;
use uuid::Uuid;

use crate::context::CorrelationId;

/// Time that all calls of one request share. Counted again when the body of the request has arrived.
pub(super) const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

const MAX_ID_CHARS: usize = 128;

/// Created by the client, or by the gateway if missing. Always returned.
pub(crate) const HEADER: &str = "x-correlation-id";

/// Handles the request in a span that continues the browser's trace.
pub(crate) async fn trace_request(mut request: Request, next: Next) -> Response {
    let id = correlation_id(request.headers());
    let span = request_span(&mut request, &id).await;
    request.extensions_mut().insert(CorrelationId(id.clone()));
    let started = tokio::time::Instant::now();
    async {
        let mut response = deadline::within(REQUEST_TIMEOUT, next.run(request)).await;
        let status = response.status().as_u16();
        Span::current().record("status", status);
        tracing::debug!(status, elapsed_ms = started.elapsed().as_millis(), "responded");
        let headers = response.headers_mut();
        headers.insert(HEADER, id);
        // Responses are personal unless the handler states otherwise.
        headers
            .entry(CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
        response
    }
    .instrument(span)
    .await
}

fn correlation_id(headers: &HeaderMap) -> HeaderValue {
    let sent = headers.get(HEADER).filter(|id| is_safe_id(id.as_bytes()));
    sent.cloned().unwrap_or_else(|| {
        let id = Uuid::new_v4().hyphenated();
        let mut buffer = Uuid::encode_buffer();
        // A UUID consists of digits, letters and hyphens.
        HeaderValue::from_str(id.encode_lower(&mut buffer)).unwrap_or(HeaderValue::from_static(""))
    })
}

async fn request_span(request: &mut Request, correlation_id: &HeaderValue) -> Span {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let path = route.as_ref().map_or("other", MatchedPath::as_str);
    let span = tracing::info_span!(
        "request",
        otel.name = format!("{} {path}", request.method()),
        otel.kind = "server",
        method = %request.method(),
        path,
        correlation_id = correlation_id.to_str().unwrap_or_default(),
        consumer_id = Empty,
        order_id = Empty,
        status = Empty,
    );
    if span.is_disabled() {
        return span;
    }
    if path.contains('{')
        && let Some(order_id) = order_id_of_path(request).await
    {
        span.record("order_id", tracing::field::display(order_id));
    }
    let trace_parent = request.headers().get("traceparent");
    telemetry::set_parent(&span, trace_parent.and_then(|value| value.to_str().ok()));
    span
}

async fn order_id_of_path(request: &mut Request) -> Option<OrderId> {
    let parameters = request.extract_parts::<RawPathParams>().await.ok()?;
    parameters.iter().find_map(|(_, id)| id.parse().ok())
}

/// Returns whether the id can be written to logs and headers unescaped.
fn is_safe_id(id: &[u8]) -> bool {
    (1..=MAX_ID_CHARS).contains(&id.len())
        && id
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_could_forge_a_log_line_are_rejected() {
        assert!(is_safe_id(b"0d1c-4f_a.b:c"));
        for unsafe_id in ["", "a b", "a\"b", "a\u{e9}", &"x".repeat(129)] {
            assert!(!is_safe_id(unsafe_id.as_bytes()), "{unsafe_id:?}");
        }
    }
}
