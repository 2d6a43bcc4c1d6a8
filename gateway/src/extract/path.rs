//! The id in a path.

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;

use crate::error::ApiError;

/// The id in a path such as `/orders/{id}/accept`.
#[derive(Debug)]
pub(crate) struct PathId(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let id = Path::from_request_parts(parts, state).await;
        id.map(|Path(id)| Self(id)).map_err(|_| {
            let message = "The id in the path must be UTF-8.";
            ApiError::invalid_request("MALFORMED_PATH", message).with_field("id")
        })
    }
}
