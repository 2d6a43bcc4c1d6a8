//! Sessions: looked up in the cache, then in accounts.

use std::time::Duration;

use http::request::Parts;
use kit::{ErrorCode, InternalError};
use proto::accounts::v1 as accounts;
use sha2::{Digest, Sha256};
use types::session_cache::{SESSION_CACHE_TTL, SESSION_TOMBSTONE, SESSION_TOMBSTONE_TTL, session_cache_key};
use types::{ConsumerId, SessionId};

use crate::context::CallContext;
use crate::cookie;
use crate::error::ApiError;
use crate::extract::Consumer;
use crate::gateway::Gateway;
use crate::types::enums::JourneyStep;

/// Time after which the cookie of a session in use is extended again.
const COOKIE_EXTENSION_INTERVAL: Duration = Duration::from_hours(24);

/// A valid session.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Session {
    pub(crate) consumer: ConsumerId,
    pub(crate) id: SessionId,
    pub(crate) journey_step: JourneyStep,
    /// Whether the cookie was not extended in the last day, or the cache does not respond.
    pub(crate) is_cookie_due: bool,
}

/// Returns the consumer of the session cookie.
///
/// # Errors
/// `UNAUTHENTICATED` without a valid session; `UNAVAILABLE` if neither cache nor accounts responds.
pub(crate) async fn find_consumer(gateway: &Gateway, parts: &Parts) -> Result<Consumer, ApiError> {
    let session = find_session(gateway, &CallContext::of_gateway(parts), token(parts)?).await?;
    Ok(Consumer::new(
        session.consumer,
        session.id,
        session.journey_step,
        parts,
    ))
}

/// Returns the consumer of the session cookie, or `None` without a valid session.
///
/// # Errors
/// `UNAVAILABLE` if neither cache nor accounts responds: a consumer may be signed in.
pub(crate) async fn find_optional_consumer(
    gateway: &Gateway,
    parts: &Parts,
) -> Result<Option<Consumer>, ApiError> {
    match find_consumer(gateway, parts).await {
        Ok(consumer) => Ok(Some(consumer)),
        Err(error) if error.error.code == ErrorCode::Unauthenticated => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the token of the session cookie.
///
/// # Errors
/// `UNAUTHENTICATED` without a cookie.
pub(crate) fn token(parts: &Parts) -> Result<&str, ApiError> {
    cookie::get(&parts.headers, cookie::SESSION).ok_or_else(ApiError::unauthenticated)
}

/// Returns the session of a token.
///
/// # Errors
/// As [`find_consumer`].
pub(crate) async fn find_session(
    gateway: &Gateway,
    context: &CallContext,
    token: &str,
) -> Result<Session, ApiError> {
    let key = cache_key(token);
    let cached = gateway.cache.get_two([&key, &cookie_key(token)]).await;
    let [entry, cookie_entry] = cached.unwrap_or_else(|error| {
        tracing::warn!(%error, "session not read from the cache");
        [None, None]
    });
    let is_cookie_due = cookie_entry.is_none();
    if entry.as_deref() == Some(SESSION_TOMBSTONE) {
        return Err(ApiError::unauthenticated());
    }
    if let Some(session) = entry.and_then(|entry| parse_entry(&entry, is_cookie_due)) {
        return Ok(session);
    }
    let request = accounts::GetSessionRequest {
        session_token: token.to_owned(),
    };
    let mut client = gateway.clients.accounts(context);
    let session = client.get_session(request).await?.into_inner();
    let step = JourneyStep::from(session.journey_step());
    let entry = format!("{} {} {}", session.consumer_id, session.session_id, step.as_str());
    let Some(session) = parse_entry(&entry, is_cookie_due) else {
        return Err(InternalError::invariant_violated("accounts returned an invalid session").into());
    };
    // Must not overwrite the tombstone of a session that ended during the lookup.
    if let Err(error) = gateway.cache.set_if_absent(&key, &entry, SESSION_CACHE_TTL).await {
        tracing::debug!(%error, "session not cached");
    }
    Ok(session)
}

/// Returns whether the session ended since it was read. `false` if the cache does not respond.
pub(crate) async fn has_ended(gateway: &Gateway, token: &str) -> bool {
    let entry = gateway.cache.get(&cache_key(token)).await;
    entry.is_ok_and(|entry| entry.as_deref() == Some(SESSION_TOMBSTONE))
}

/// Records that the cookie of a session is extended.
pub(crate) async fn record_cookie_extension(gateway: &Gateway, token: &str) {
    let recorded = gateway
        .cache
        .set(&cookie_key(token), "1", COOKIE_EXTENSION_INTERVAL)
        .await;
    if let Err(error) = recorded {
        tracing::debug!(%error, "extension of the cookie not recorded");
    }
}

fn cookie_key(token: &str) -> String {
    format!("cookie:{}", cache_key(token))
}

/// Ends the session of a token, immediately on every gateway. Accounts writes the tombstone as well, and retries it if Redis
/// is unavailable.
pub(crate) async fn end_session(
    gateway: &Gateway,
    context: &CallContext,
    token: &str,
) -> Result<(), ApiError> {
    let request = accounts::LogoutRequest {
        session_token: token.to_owned(),
    };
    gateway.clients.accounts(context).logout(request).await?;
    let key = cache_key(token);
    if let Err(error) = gateway
        .cache
        .set(&key, SESSION_TOMBSTONE, SESSION_TOMBSTONE_TTL)
        .await
    {
        tracing::warn!(%error, "tombstone not written; accounts retries it");
    }
    Ok(())
}

/// Contains a hash, because the token must not leave this process except to accounts.
fn cache_key(token: &str) -> String {
    session_cache_key(&Sha256::digest(token))
}

/// Parses a cached session. An entry of an earlier release has no journey step, and is looked up again.
fn parse_entry(entry: &str, is_cookie_due: bool) -> Option<Session> {
    let mut parts = entry.split(' ');
    Some(Session {
        consumer: parts.next()?.parse().ok()?,
        id: parts.next()?.parse().ok()?,
        journey_step: parts.next()?.parse().ok()?,
        is_cookie_due,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_parsed_and_a_tombstone_is_not_an_entry() {
        let ids = "usr_01h455vb4pex5vsknk084sn02q ses_01h455vb4pex5vsknk084sn02q";
        let session = parse_entry(&format!("{ids} app"), false).unwrap();
        assert_eq!(session.journey_step, JourneyStep::App);
        assert!(parse_entry(ids, false).is_none() && parse_entry(&format!("{ids} car"), false).is_none());
        assert!(parse_entry(SESSION_TOMBSTONE, false).is_none());
    }

    #[test]
    fn the_cache_key_does_not_contain_the_token() {
        assert!(!cache_key("secret-token").contains("secret"));
    }
}
