//! The operator who makes a call.

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::context::CallContext;
use crate::error::ApiError;

/// The operator who makes a call. Only requests that passed the middleware of operators have one.
#[derive(Debug, Clone)]
pub(crate) struct OperatorCaller(pub(crate) CallContext);

impl<S: Send + Sync> FromRequestParts<S> for OperatorCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        let operator = parts.extensions.get::<Self>();
        operator.cloned().ok_or_else(ApiError::unauthenticated)
    }
}
