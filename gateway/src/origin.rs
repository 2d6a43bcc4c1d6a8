//! State is changed from our own pages only.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::ORIGIN;
use http::{HeaderMap, Method};
use kit::{ErrorCode, ServiceError};

use crate::correlation;
use crate::envelope::ApiError;
use crate::gateway::Gateway;

/// Refuses a state-changing call that does not come from an allowed origin, or lacks the header that no foreign form can
/// send.
///
/// # Errors
/// `ORIGIN_NOT_ALLOWED`, `CORRELATION_ID_MISSING`.
pub async fn require(
    State(gateway): State<Gateway>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        if !is_allowed(request.headers(), &gateway.origins) {
            let message = "This can only be done from the app itself.";
            return Err(ServiceError::new(ErrorCode::Forbidden, "ORIGIN_NOT_ALLOWED", message).into());
        }
        if !request.headers().contains_key(correlation::HEADER) {
            return Err(ApiError::malformed(
                "CORRELATION_ID_MISSING",
                "The header x-correlation-id is missing.",
            ));
        }
    }
    Ok(next.run(request).await)
}

/// A browser sends one origin; of two, one is somebody else's word.
fn is_allowed(headers: &HeaderMap, allowed: &[String]) -> bool {
    let mut origins = headers.get_all(ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (Some(origin), None) => allowed
            .iter()
            .any(|allowed| allowed.as_bytes() == origin.as_bytes()),
        _ => false,
    }
}
