//! Conditional requests and compressed bodies of public responses.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use headers::{ETag, HeaderMapExt, IfNoneMatch};
use http::header::{ACCEPT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};

use crate::public_reads::PublicResponse;

/// Replaces a response that the client already has, by its `ETag`, with an empty 304. Compresses other public responses.
pub(crate) async fn return_not_modified(request: Request, next: Next) -> Response {
    let if_none_match = request.headers().typed_get::<IfNoneMatch>();
    let accept_encoding = request.headers().get(ACCEPT_ENCODING).cloned();
    let mut response = next.run(request).await;
    if if_none_match.is_some_and(|condition| is_current(&condition, response.headers())) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = axum::body::Body::empty();
        response.headers_mut().remove(CONTENT_LENGTH);
        response.headers_mut().remove(CONTENT_TYPE);
    } else {
        PublicResponse::compress(&mut response, accept_encoding.as_ref());
    }
    response
}

fn is_current(condition: &IfNoneMatch, headers: &HeaderMap) -> bool {
    let tag = headers.typed_get::<ETag>();
    tag.is_some_and(|tag| !condition.precondition_passes(&tag))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::{ETAG, IF_NONE_MATCH};

    use super::*;

    fn matches(if_none_match: &'static str, tag: Option<&'static str>) -> bool {
        let header = |name, value| HeaderMap::from_iter([(name, HeaderValue::from_static(value))]);
        let condition = header(IF_NONE_MATCH, if_none_match).typed_get().unwrap();
        let headers = tag.map(|tag| header(ETAG, tag)).unwrap_or_default();
        is_current(&condition, &headers)
    }

    #[test]
    fn tags_are_compared_weakly_and_in_lists() {
        let tag = Some("W/\"abc\"");
        assert!(matches("\"x\", \"abc\"", tag) && matches("W/\"abc\"", tag) && matches("*", tag));
        assert!(!matches("\"x\"", tag) && !matches("\"abc\"", None));
    }
}
