//! Request bodies are read before admission, so that clients that send them slowly do not use up the limits on requests
//! in progress.

use std::time::Duration;

use axum::body::HttpBody;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use kit::grpc::deadline;

use super::correlation::REQUEST_TIMEOUT;
use crate::error::ApiError;
use crate::extract;
use crate::gateway::Gateway;

/// Time for the body of an upload beyond that for other bodies. With the defaults, an upload and its calls take no longer than the
/// app waits (30 seconds).
const UPLOAD_EXTRA_TIME: Duration = Duration::from_secs(5);

/// Replaces the body with one that has arrived.
///
/// # Errors
/// As [`extract::read_body`].
pub(crate) async fn read_request_body(
    State(gateway): State<Gateway>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    if request.body().is_end_stream() {
        return Ok(next.run(request).await);
    }
    let (parts, body) = request.into_parts();
    let request = Request::from_parts(parts.clone(), body);
    let body = extract::read_body(request, &gateway).await?;
    Ok(run_with_body(Request::from_parts(parts, body.into()), next).await)
}

/// Replaces the body of an upload with one that has arrived.
///
/// # Errors
/// As [`extract::read_upload`].
pub(crate) async fn read_upload_body(
    State(gateway): State<Gateway>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let timeout = gateway.http.client_timeout() + UPLOAD_EXTRA_TIME;
    let (parts, body) = request.into_parts();
    let body = extract::read_upload(timeout, body).await?;
    Ok(run_with_body(Request::from_parts(parts, body.into()), next).await)
}

/// The calls have the whole time, no matter how long the body took.
async fn run_with_body(request: Request, next: Next) -> Response {
    deadline::within(REQUEST_TIMEOUT, next.run(request)).await
}
