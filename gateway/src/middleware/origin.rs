//! Protection against cross-site requests.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::ORIGIN;
use http::{HeaderMap, Method};
use kit::ErrorCode;

use super::correlation;
use crate::error::ApiError;
use crate::gateway::Gateway;

/// Accepts state-changing calls only from an allowed origin and with a header that forms of other sites cannot send.
///
/// # Errors
/// `ORIGIN_NOT_ALLOWED`, `CORRELATION_ID_MISSING`.
pub(crate) async fn require_allowed_origin(
    State(gateway): State<Gateway>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    check_origin(&gateway, request.method(), request.headers())?;
    Ok(next.run(request).await)
}

/// # Errors
/// As [`require_allowed_origin`].
pub(super) fn check_origin(gateway: &Gateway, method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    if !has_allowed_origin(headers, &gateway.allowed_origins) {
        let message = "This request must come from the app.";
        return Err(ApiError::new(ErrorCode::Forbidden, "ORIGIN_NOT_ALLOWED", message));
    }
    if !headers.contains_key(correlation::HEADER) {
        let message = "The x-correlation-id header is missing.";
        return Err(
            ApiError::invalid_request("CORRELATION_ID_MISSING", message).with_field(correlation::HEADER)
        );
    }
    Ok(())
}

/// Browsers send exactly one origin, so a request with several was modified after the browser sent it.
fn has_allowed_origin(headers: &HeaderMap, allowed: &[String]) -> bool {
    let mut origins = headers.get_all(ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (Some(origin), None) => allowed
            .iter()
            .any(|allowed| allowed.as_bytes() == origin.as_bytes()),
        _ => false,
    }
}
