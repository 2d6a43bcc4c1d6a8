//! Authentication of consumers.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::SET_COOKIE;

use crate::context::CallContext;
use crate::cookie;
use crate::error::ApiError;
use crate::extract::{Consumer, require_own_user_id, user_id_of_query};
use crate::gateway::Gateway;
use crate::session::{Session, find_session, has_ended, record_cookie_extension, token};

/// Accepts only signed-in consumers.
///
/// # Errors
/// `UNAUTHENTICATED`; `FORBIDDEN` if the query names another consumer.
pub(crate) async fn require_session(
    State(gateway): State<Gateway>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let (mut parts, body) = request.into_parts();
    let token = token(&parts)?.to_owned();
    let device = cookie::device(&parts.headers);
    let session = find_session(&gateway, &CallContext::of_gateway(&parts), &token).await?;
    let consumer = Consumer::new(session.consumer, session.id, session.journey_step, &parts);
    require_own_user_id(user_id_of_query(&parts.uri)?.as_deref(), &consumer.id.to_string())?;
    tracing::Span::current().record("consumer_id", tracing::field::display(consumer.id));
    parts.extensions.insert(consumer);
    let mut response = next.run(Request::from_parts(parts, body)).await;
    if extend_cookie(&gateway, &token, session, &mut response).await
        && let Some(device) = device
    {
        cookie::set_device(response.headers_mut(), &gateway.http, device);
    }
    Ok(response)
}

/// Accounts extends a session that is in use, so the cookie is extended once a day as well, unless the handler sets it. The cookie of a
/// session that ended during the call is not sent: the browser may have the one of a new session. Returns whether it is extended.
async fn extend_cookie(gateway: &Gateway, token: &str, session: Session, response: &mut Response) -> bool {
    let is_due = session.is_cookie_due && !response.headers().contains_key(SET_COOKIE);
    if !is_due || has_ended(gateway, token).await {
        return false;
    }
    record_cookie_extension(gateway, token).await;
    cookie::set(response.headers_mut(), &gateway.http, cookie::SESSION, token);
    true
}
