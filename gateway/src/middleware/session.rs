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
use crate::session::{find_session, record_cookie_extension, token};

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
    let session = find_session(&gateway, &CallContext::of_gateway(&parts), &token).await?;
    let consumer = Consumer::new(session.consumer, session.id, session.journey_step, &parts);
    require_own_user_id(user_id_of_query(&parts.uri)?.as_deref(), &consumer.id.to_string())?;
    tracing::Span::current().record("consumer_id", tracing::field::display(consumer.id));
    parts.extensions.insert(consumer);
    let response = next.run(Request::from_parts(parts, body));
    if !session.is_cookie_due {
        return Ok(response.await);
    }
    // Accounts extends a session that is in use, so the cookie is extended as well unless the handler sets it.
    let (mut response, ()) = tokio::join!(response, record_cookie_extension(&gateway, &token));
    if !response.headers().contains_key(SET_COOKIE) {
        cookie::set(response.headers_mut(), &gateway.http, cookie::SESSION, &token);
    }
    Ok(response)
}
