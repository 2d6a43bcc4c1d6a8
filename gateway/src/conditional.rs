//! Answers that the client already has.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, StatusCode};

/// Turns an answer whose `ETag` the client named into an empty 304.
pub async fn answer(request: Request, next: Next) -> Response {
    let held = request
        .headers()
        .get(IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    let mut response = next.run(request).await;
    if held.is_some_and(|held| is_held(&held, response.headers())) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = axum::body::Body::empty();
        response.headers_mut().remove(CONTENT_LENGTH);
        response.headers_mut().remove(CONTENT_TYPE);
    }
    response
}

fn is_held(held: &str, headers: &HeaderMap) -> bool {
    let Some(tag) = headers.get(ETAG).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    // Compared weakly, as RFC 9110 asks of If-None-Match.
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    held.trim() == "*" || held.split(',').any(|held| bare(held) == bare(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_weakly_and_in_lists() {
        let mut headers = HeaderMap::new();
        headers.insert(ETAG, http::HeaderValue::from_static("W/\"abc\""));
        assert!(is_held("\"x\", \"abc\"", &headers) && is_held("W/\"abc\"", &headers));
        assert!(!is_held("\"x\"", &headers) && !is_held("\"abc\"", &HeaderMap::new()));
    }
}
