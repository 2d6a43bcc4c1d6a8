//! Which stores a credential speaks for: asked of the cache, then of the stores service.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode};
use callers::Caller;
use proto::stores::v1 as stores;
use sha2::{Digest, Sha256};
use types::IdError;

use crate::caller::{Call, StoreSystem};
use crate::envelope::ApiError;
use crate::gateway::Gateway;

/// How long an answer of the stores service is believed.
const BELIEVED_SECONDS: u64 = 60;
const SCHEME: &str = "Bearer";

/// Lets only stores' own systems pass; says to others how they would (RFC 9110, 11.6.1).
pub async fn require(State(gateway): State<Gateway>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    match speaking(&gateway, &parts).await {
        Ok(call) => {
            parts.extensions.insert(StoreSystem(call));
            next.run(Request::from_parts(parts, body)).await
        }
        Err(refused) => {
            let mut response = refused.into_response();
            if response.status() == StatusCode::UNAUTHORIZED {
                let scheme = HeaderValue::from_static(SCHEME);
                response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
            }
            response
        }
    }
}

/// # Errors
/// `UNAUTHENTICATED` without a good credential; `UNAVAILABLE` when nobody can say.
async fn speaking(gateway: &Gateway, parts: &Parts) -> Result<Call, ApiError> {
    let credential = credential(&parts.headers).ok_or_else(ApiError::unauthenticated)?;
    let own = Call::own(parts);
    let caller = look_up(gateway, &own, credential).await?;
    Ok(Call { caller, ..own })
}

/// The scheme's name is read in any case (RFC 9110, 11.1), the credential as it is.
fn credential(headers: &HeaderMap) -> Option<&str> {
    let (scheme, credential) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let credential = credential.trim_start_matches(' ');
    (scheme.eq_ignore_ascii_case(SCHEME) && !credential.is_empty()).then_some(credential)
}

async fn look_up(gateway: &Gateway, call: &Call, credential: &str) -> Result<Caller, ApiError> {
    let key = format!("store-credential:{}", hex::encode(Sha256::digest(credential)));
    match gateway.cache.get(&key).await {
        Ok(Some(entry)) => {
            if let Ok(caller) = serde_json::from_str(&entry) {
                return Ok(caller);
            }
        }
        Ok(None) => {}
        Err(error) => tracing::warn!(%error, "credential asked of the stores service"),
    }
    let request = stores::AuthenticateStoreRequest {
        credential: credential.to_owned(),
    };
    let known = gateway
        .clients
        .stores(call)
        .authenticate_store(request)
        .await?
        .into_inner();
    let caller = speaker(known).map_err(|error| ApiError::from(kit::InternalError::broken(error)))?;
    if let Ok(entry) = serde_json::to_string(&caller)
        && let Err(error) = gateway.cache.put_if_absent(&key, &entry, BELIEVED_SECONDS).await
    {
        tracing::debug!(%error, "credential not cached");
    }
    Ok(caller)
}

fn speaker(known: stores::AuthenticateStoreResponse) -> Result<Caller, IdError> {
    let listed: Result<Vec<_>, _> = known.store_ids.iter().map(|id| id.parse()).collect();
    let stores = if known.all_stores { None } else { Some(listed?) };
    Ok(Caller::Store {
        credential: known.credential_id.parse()?,
        stores,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_without_stores_speaks_for_none_of_them() {
        let known = stores::AuthenticateStoreResponse {
            credential_id: "crd_01h455vb4pex5vsknk084sn02q".to_owned(),
            ..Default::default()
        };
        assert!(
            matches!(speaker(known.clone()), Ok(Caller::Store { stores: Some(list), .. }) if list.is_empty())
        );
        let all = stores::AuthenticateStoreResponse {
            all_stores: true,
            ..known
        };
        assert!(matches!(speaker(all), Ok(Caller::Store { stores: None, .. })));
    }
}
