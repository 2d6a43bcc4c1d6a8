//! State is changed from our own pages only.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::Method;
use http::header::ORIGIN;
use kit::{Code, Refusal};

use crate::correlation;
use crate::envelope::Refused;
use crate::gateway::Gateway;

/// Refuses a state-changing call that does not come from an allowed origin, or lacks the header that no foreign form can
/// send.
///
/// # Errors
/// `ORIGIN_NOT_ALLOWED`, `CORRELATION_MISSING`.
pub async fn require(
    State(gateway): State<Gateway>,
    request: Request,
    next: Next,
) -> Result<Response, Refused> {
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        let origin = request
            .headers()
            .get(ORIGIN)
            .and_then(|value| value.to_str().ok());
        if !origin.is_some_and(|origin| gateway.origins.iter().any(|allowed| allowed == origin)) {
            let message = "This can only be done from the app itself.";
            return Err(Refusal::new(Code::Forbidden, "ORIGIN_NOT_ALLOWED", message).into());
        }
        if !request.headers().contains_key(correlation::HEADER) {
            return Err(Refused::malformed(
                "CORRELATION_MISSING",
                "The header x-correlation-id is missing.",
            ));
        }
    }
    Ok(next.run(request).await)
}
