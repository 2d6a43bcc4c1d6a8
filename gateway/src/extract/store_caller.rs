//! The store system that makes a call.

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::context::CallContext;
use crate::error::ApiError;

/// The store system that makes a call. Only requests that passed the credential middleware have one.
#[derive(Debug, Clone)]
pub(crate) struct StoreCaller(pub(crate) CallContext);

impl<S: Send + Sync> FromRequestParts<S> for StoreCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        let store = parts.extensions.get::<Self>();
        store.cloned().ok_or_else(ApiError::unauthenticated)
    }
}
