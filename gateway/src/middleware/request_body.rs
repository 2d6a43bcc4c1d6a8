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
    run_with_body(&gateway, gateway.http.client_timeout(), request, next).await
}

/// Replaces the body of an upload with one that has arrived. Its only large part is the photo.
///
/// # Errors
/// As [`read_request_body`], with `PHOTO_TOO_LARGE` instead of `BODY_TOO_LARGE`.
pub(crate) async fn read_upload_body(
    State(gateway): State<Gateway>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let timeout = gateway.http.client_timeout() + UPLOAD_EXTRA_TIME;
    let response = run_with_body(&gateway, timeout, request, next).await;
    response.map_err(|error| match &*error.error.reason {
        extract::BODY_TOO_LARGE => extract::photo_too_large(),
        _ => error,
    })
}

async fn run_with_body(
    gateway: &Gateway,
    timeout: Duration,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    if request.body().is_end_stream() {
        return Ok(next.run(request).await);
    }
    let (parts, body) = request.into_parts();
    let request = Request::from_parts(parts.clone(), body);
    let body = extract::read_body_within(timeout, request, gateway).await?;
    let request = Request::from_parts(parts, body.into());
    // The calls have the whole time, no matter how long the body took.
    Ok(deadline::within(REQUEST_TIMEOUT, next.run(request)).await)
}
