//! Authentication of store systems (credential) and store staff (session cookie).

use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use callers::Caller;
use headers::authorization::{Authorization, Bearer};
use headers::{HeaderMap, HeaderMapExt};
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderValue, StatusCode};
use kit::InternalError;
use proto::stores::v1 as stores;
use sha2::{Digest, Sha256};
use types::IdError;

use super::origin::check_origin;
use crate::context::CallContext;
use crate::cookie;
use crate::error::ApiError;
use crate::extract::StoreCaller;
use crate::gateway::Gateway;

const CACHE_TTL: Duration = Duration::from_mins(1);
/// Replaces the cached caller of an ended session. It cannot be parsed as a caller, so the next lookup calls stores.
const TOMBSTONE: &str = "ended";

/// Accepts only store systems and signed-in staff. A 401 names the authentication scheme (RFC 9110, 11.6.1).
pub(crate) async fn require_credential(
    State(gateway): State<Gateway>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    match authenticate(&gateway, &parts).await {
        Ok(context) => {
            parts.extensions.insert(StoreCaller(context));
            next.run(Request::from_parts(parts, body)).await
        }
        Err(error) => {
            let mut response = error.into_response();
            if response.status() == StatusCode::UNAUTHORIZED {
                let scheme = HeaderValue::from_static("Bearer");
                response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
            }
            response
        }
    }
}

/// Returns the context of an authenticated caller. Browsers attach the staff cookie automatically, so state-changing calls
/// with it must come from an allowed origin.
///
/// # Errors
/// `UNAUTHENTICATED` without a valid credential or session; `ORIGIN_NOT_ALLOWED`, `CORRELATION_ID_MISSING`; `UNAVAILABLE` if
/// neither cache nor stores responds.
async fn authenticate(gateway: &Gateway, parts: &Parts) -> Result<CallContext, ApiError> {
    let credential = presented_credential(&parts.headers).ok_or_else(ApiError::unauthenticated)?;
    if !parts.headers.contains_key(AUTHORIZATION) {
        check_origin(gateway, &parts.method, &parts.headers)?;
    }
    let context = CallContext::of_gateway(parts);
    let caller = find_caller(gateway, &context, &credential).await?;
    Ok(CallContext { caller, ..context })
}

/// Returns the credential of the `Authorization` header, or the token of the staff cookie if the header is missing.
pub(crate) fn presented_credential(headers: &HeaderMap) -> Option<String> {
    if !headers.contains_key(AUTHORIZATION) {
        return cookie::get(headers, cookie::STAFF).map(ToOwned::to_owned);
    }
    let authorization = headers.typed_get::<Authorization<Bearer>>()?;
    Some(authorization.token().to_owned()).filter(|credential| !credential.is_empty())
}

/// Looks a credential or session token up in the cache, then in stores.
///
/// # Errors
/// `UNAUTHENTICATED` for an invalid credential; `UNAVAILABLE` if neither cache nor stores responds.
pub(crate) async fn find_caller(
    gateway: &Gateway,
    context: &CallContext,
    credential: &str,
) -> Result<Caller, ApiError> {
    let key = cache_key(credential);
    match gateway.cache.get(&key).await {
        Ok(Some(entry)) => {
            if let Ok(caller) = serde_json::from_str(&entry) {
                return Ok(caller);
            }
        }
        Ok(None) => {}
        Err(error) => tracing::warn!(%error, "credential not read from the cache"),
    }
    let request = stores::AuthenticateStoreRequest {
        credential: credential.to_owned(),
    };
    let mut client = gateway.clients.stores(context);
    let response = client.authenticate_store(request).await?.into_inner();
    let caller = store_caller(&response).map_err(InternalError::invariant_violated)?;
    if let Ok(entry) = serde_json::to_string(&caller)
        && let Err(error) = gateway.cache.set_if_absent(&key, &entry, CACHE_TTL).await
    {
        tracing::debug!(%error, "credential not cached");
    }
    Ok(caller)
}

/// Removes a session from the cache of all gateways, so that it ends immediately.
pub(crate) async fn forget_credential(gateway: &Gateway, credential: &str) {
    if let Err(error) = gateway
        .cache
        .set(&cache_key(credential), TOMBSTONE, CACHE_TTL)
        .await
    {
        tracing::warn!(%error, "ended session not removed from the cache; it ends within a minute");
    }
}

fn cache_key(credential: &str) -> String {
    format!("store-credential:{}", hex::encode(Sha256::digest(credential)))
}

fn store_caller(response: &stores::AuthenticateStoreResponse) -> Result<Caller, IdError> {
    let store_ids: Result<Vec<_>, _> = response.store_ids.iter().map(|id| id.parse()).collect();
    Ok(Caller::Store {
        credential: response.credential_id.parse()?,
        stores: if response.all_stores {
            None
        } else {
            Some(store_ids?)
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_without_stores_gives_access_to_none() {
        let none = stores::AuthenticateStoreResponse {
            credential_id: "crd_01h455vb4pex5vsknk084sn02q".to_owned(),
            ..Default::default()
        };
        assert!(
            matches!(store_caller(&none), Ok(Caller::Store { stores: Some(list), .. }) if list.is_empty())
        );
        let all = stores::AuthenticateStoreResponse {
            all_stores: true,
            ..none
        };
        assert!(matches!(
            store_caller(&all),
            Ok(Caller::Store { stores: None, .. })
        ));
    }
}
