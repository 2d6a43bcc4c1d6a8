//! Exchange of hand-over codes for sessions.

use http::HeaderMap;
use http::header::USER_AGENT;
use proto::accounts::v1 as accounts;
use types::ConsumerId;

use crate::context::CallContext;
use crate::cookie;
use crate::error::ApiError;
use crate::gateway::Gateway;
use crate::session::end_session;

const MAX_USER_AGENT_CHARS: usize = 512;

/// A code to exchange.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) code: String,
    /// The consumer who is signed in.
    pub(crate) current: Option<ConsumerId>,
    /// Whether the session may be one of another consumer than the current one.
    pub(crate) replaces_consumer: bool,
}

/// Exchanges a code for a session of the device.
pub(crate) async fn exchange(
    gateway: &Gateway,
    context: &CallContext,
    headers: &HeaderMap,
    exchange: Exchange,
) -> Result<accounts::VerifyResponse, ApiError> {
    let current = exchange.current.map(|id| id.to_string());
    let request = accounts::ExchangeHandOverCodeRequest {
        code: exchange.code,
        current_consumer_id: current.unwrap_or_default(),
        replaces_consumer: exchange.replaces_consumer,
        device_id: cookie::get(headers, cookie::DEVICE)
            .unwrap_or_default()
            .to_owned(),
        user_agent: user_agent(headers),
    };
    let mut client = gateway.clients.accounts(context);
    Ok(client.exchange_hand_over_code(request).await?.into_inner())
}

/// Sets the cookie of a new session and ends the session that it replaces. If that fails, the old session remains until it
/// expires.
pub(crate) async fn replace_session(
    gateway: &Gateway,
    context: &CallContext,
    request_headers: &HeaderMap,
    token: &str,
    response_headers: &mut HeaderMap,
) {
    if let Some(replaced) = cookie::get(request_headers, cookie::SESSION)
        && let Err(error) = end_session(gateway, context, replaced).await
    {
        tracing::warn!(reason = %error.error.reason, "replaced session not ended; it remains until it expires");
    }
    cookie::set(response_headers, &gateway.http, cookie::SESSION, token);
}

/// Returns the start of the user agent header, which is long enough to name the device.
pub(crate) fn user_agent(headers: &HeaderMap) -> String {
    let user_agent = headers.get(USER_AGENT).and_then(|value| value.to_str().ok());
    user_agent
        .unwrap_or_default()
        .chars()
        .take(MAX_USER_AGENT_CHARS)
        .collect()
}
