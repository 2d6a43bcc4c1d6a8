//! Whose session a cookie is: asked of the cache, then of accounts, which alone knows.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::SET_COOKIE;
use http::request::Parts;
use proto::accounts::v1 as accounts;
use sha2::{Digest, Sha256};
use types::{ConsumerId, SessionId};

use crate::caller::{Call, Consumer};
use crate::cookie;
use crate::envelope::ApiError;
use crate::extract::{Named, require_own};
use crate::gateway::Gateway;

/// How long an answer of accounts is believed.
const BELIEVED_SECONDS: u64 = 60;
/// Longer than any cached answer, and than any lookup still under way, can live.
const TOMBSTONE_SECONDS: u64 = 180;
const TOMBSTONE: &str = "ended";

/// Lets only signed-in consumers pass, and only as themselves.
///
/// # Errors
/// `UNAUTHENTICATED`; `FORBIDDEN` where the query names somebody else.
pub async fn require(
    State(gateway): State<Gateway>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let (mut parts, body) = request.into_parts();
    let token = token(&parts)?.to_owned();
    let known = look_up(&gateway, &Call::own(&parts), &token).await?;
    let consumer = Consumer::new(known.consumer, known.session, &parts);
    require_own(Named::in_query(&parts.uri)?.as_deref(), &consumer.id.to_string())?;
    tracing::Span::current().record("consumer_id", tracing::field::display(consumer.id));
    parts.extensions.insert(consumer);
    let mut response = next.run(Request::from_parts(parts, body)).await;
    // A session rolls on with its use, and so does its cookie: where accounts was asked, and nothing else was said of it.
    if known.fresh && !response.headers().contains_key(SET_COOKIE) {
        cookie::set(response.headers_mut(), &gateway.front, cookie::SESSION, &token);
    }
    Ok(response)
}

/// The consumer whose session cookie a request carries.
///
/// # Errors
/// `UNAUTHENTICATED` without a good one; `UNAVAILABLE` when nobody can say.
pub async fn consumer(gateway: &Gateway, parts: &Parts) -> Result<Consumer, ApiError> {
    let known = look_up(gateway, &Call::own(parts), token(parts)?).await?;
    Ok(Consumer::new(known.consumer, known.session, parts))
}

fn token(parts: &Parts) -> Result<&str, ApiError> {
    cookie::read(&parts.headers, cookie::SESSION).ok_or_else(ApiError::unauthenticated)
}

/// A session that is good.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    consumer: ConsumerId,
    session: SessionId,
    /// Accounts said so just now.
    fresh: bool,
}

/// Whose session a token is.
///
/// # Errors
/// As [`consumer`].
pub async fn look_up(gateway: &Gateway, call: &Call, token: &str) -> Result<Known, ApiError> {
    let key = key(token);
    match gateway.cache.get(&key).await {
        Ok(Some(entry)) if entry == TOMBSTONE => return Err(ApiError::unauthenticated()),
        Ok(Some(entry)) => {
            if let Some((consumer, session)) = read(&entry) {
                return Ok(Known {
                    consumer,
                    session,
                    fresh: false,
                });
            }
        }
        Ok(None) => {}
        Err(error) => tracing::warn!(%error, "session asked of accounts"),
    }
    let request = accounts::GetSessionRequest {
        session_token: token.to_owned(),
    };
    let session = gateway
        .clients
        .accounts(call)
        .get_session(request)
        .await?
        .into_inner();
    let entry = format!("{} {}", session.consumer_id, session.session_id);
    let Some((consumer, session)) = read(&entry) else {
        return Err(ApiError::from(kit::InternalError::broken(
            "accounts returned an invalid session",
        )));
    };
    // Only where nothing stands: a session that ended meanwhile has its tombstone there, and that wins.
    if let Err(error) = gateway.cache.put_if_absent(&key, &entry, BELIEVED_SECONDS).await {
        tracing::debug!(%error, "session not cached");
    }
    Ok(Known {
        consumer,
        session,
        fresh: true,
    })
}

/// Makes the end of a session known to every gateway at once, where the cache is there.
pub async fn bury(gateway: &Gateway, token: &str) {
    if let Err(error) = gateway.cache.put(&key(token), TOMBSTONE, TOMBSTONE_SECONDS).await {
        tracing::warn!(%error, "an ended session may be believed for another minute");
    }
}

/// The token itself never leaves this process but towards accounts.
fn key(token: &str) -> String {
    format!("session:{}", hex::encode(Sha256::digest(token)))
}

fn read(entry: &str) -> Option<(ConsumerId, SessionId)> {
    let (consumer, session) = entry.split_once(' ')?;
    Some((consumer.parse().ok()?, session.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cached_entry_reads_back_and_a_tombstone_is_none() {
        let entry = "usr_01h455vb4pex5vsknk084sn02q ses_01h455vb4pex5vsknk084sn02q";
        assert!(read(entry).is_some());
        assert!(read(TOMBSTONE).is_none());
    }

    #[test]
    fn the_token_is_not_in_its_key() {
        assert!(!key("secret-token").contains("secret"));
    }
}
