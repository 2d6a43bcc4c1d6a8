//! Around every request: its correlation id, its span, and what must not be kept.

use std::time::Duration;

use axum::RequestExt;
use axum::extract::{MatchedPath, RawPathParams, Request};
use axum::middleware::Next;
use axum::response::Response;
use http::HeaderValue;
use http::header::CACHE_CONTROL;
use kit::grpc::deadline;
use kit::telemetry;
use tracing::Instrument;
use tracing::field::Empty;
use types::OrderId;
use uuid::Uuid;

use crate::caller::CorrelationId;

/// What the calls of one request share: a session looked up slowly leaves less for what was asked.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// Made by the client, by us where it is missing; echoed always.
pub const HEADER: &str = "x-correlation-id";

/// Names the request, follows it in a span of the browser's trace, and answers with the name.
pub async fn follow(mut request: Request, next: Next) -> Response {
    let named = request
        .headers()
        .get(HEADER)
        .and_then(|value| value.to_str().ok())
        .filter(|id| is_plain(id));
    let id = named.map_or_else(|| Uuid::new_v4().to_string(), str::to_owned);
    let path = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("other", MatchedPath::as_str)
        .to_owned();
    let order = named_order(&mut request).await;
    let span = tracing::info_span!(
        "request",
        otel.name = format!("{} {path}", request.method()),
        otel.kind = "server",
        method = %request.method(),
        path,
        correlation_id = id,
        consumer_id = Empty,
        order_id = order,
        status = Empty,
    );
    telemetry::set_parent(
        &span,
        request
            .headers()
            .get("traceparent")
            .and_then(|value| value.to_str().ok()),
    );
    request.extensions_mut().insert(CorrelationId(id.clone()));
    let started = tokio::time::Instant::now();
    async {
        let mut response = deadline::within(ANSWER_WITHIN, next.run(request)).await;
        let status = response.status().as_u16();
        tracing::Span::current().record("status", status);
        tracing::debug!(status, elapsed_ms = started.elapsed().as_millis(), "answered");
        if let Ok(id) = HeaderValue::try_from(id) {
            response.headers_mut().insert(HEADER, id);
        }
        // What does not say otherwise is somebody's own.
        response
            .headers_mut()
            .entry(CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
        response
    }
    .instrument(span)
    .await
}

/// The order that a path names.
async fn named_order(request: &mut Request) -> Option<String> {
    let named = request.extract_parts::<RawPathParams>().await.ok()?;
    let order = named.iter().find_map(|(_, id)| id.parse::<OrderId>().ok());
    order.map(|order| order.to_string())
}

/// Goes into logs and to other processes as it is, so it is kept short and harmless.
fn is_plain(id: &str) -> bool {
    (1..=128).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_no_id_that_could_forge_a_log_line() {
        assert!(is_plain("0d1c-4f_a.b:c"));
        for bad in ["", "a b", "a\"b", "a\u{e9}", &"x".repeat(129)] {
            assert!(!is_plain(bad), "{bad:?}");
        }
    }
}
