//! Request bodies that may be absent.

use axum::extract::{FromRequest, Request};
use http::header::CONTENT_TYPE;
use serde::de::DeserializeOwned;

use super::body::Body;
use crate::error::ApiError;
use crate::gateway::Gateway;

/// A JSON body, or the default without one. A call without a body has no content type.
#[derive(Debug)]
pub(crate) struct OptionalBody<T>(pub(crate) T);

impl<T: DeserializeOwned + Default> FromRequest<Gateway> for OptionalBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, ApiError> {
        if !request.headers().contains_key(CONTENT_TYPE) {
            return Ok(Self(T::default()));
        }
        let Body(body) = Body::from_request(request, gateway).await?;
        Ok(Self(body))
    }
}
