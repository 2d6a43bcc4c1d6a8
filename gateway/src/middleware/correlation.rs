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

/// Time that all calls of one request share.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

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
        if let Ok(id) = HeaderValue::try_from(id) {
            headers.insert(HEADER, id);
        }
        // Responses are personal unless the handler states otherwise.
        headers
            .entry(CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
        response
    }
    .instrument(span)
    .await
}

fn correlation_id(headers: &HeaderMap) -> String {
    let sent = headers.get(HEADER).and_then(|value| value.to_str().ok());
    sent.filter(|id| is_safe_id(id))
        .map_or_else(|| Uuid::new_v4().to_string(), str::to_owned)
}

async fn request_span(request: &mut Request, correlation_id: &str) -> Span {
    let path = request.extensions().get::<MatchedPath>();
    let path = path.map_or("other", MatchedPath::as_str).to_owned();
    let order_id = order_id_of_path(request).await;
    let span = tracing::info_span!(
        "request",
        otel.name = format!("{} {path}", request.method()),
        otel.kind = "server",
        method = %request.method(),
        path,
        correlation_id,
        consumer_id = Empty,
        order_id,
        status = Empty,
    );
    let trace_parent = request.headers().get("traceparent");
    telemetry::set_parent(&span, trace_parent.and_then(|value| value.to_str().ok()));
    span
}

async fn order_id_of_path(request: &mut Request) -> Option<String> {
    let parameters = request.extract_parts::<RawPathParams>().await.ok()?;
    let order_id = parameters.iter().find_map(|(_, id)| id.parse::<OrderId>().ok());
    order_id.map(|id| id.to_string())
}

/// Returns whether the id can be written to logs and headers unescaped.
fn is_safe_id(id: &str) -> bool {
    (1..=MAX_ID_CHARS).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_could_forge_a_log_line_are_rejected() {
        assert!(is_safe_id("0d1c-4f_a.b:c"));
        for unsafe_id in ["", "a b", "a\"b", "a\u{e9}", &"x".repeat(129)] {
            assert!(!is_safe_id(unsafe_id), "{unsafe_id:?}");
        }
    }
}
