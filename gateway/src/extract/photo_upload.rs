//! Uploaded photos.

use axum::extract::{FromRequest, Multipart, Request};
use axum::response::IntoResponse;
use bytes::Bytes;
use http::StatusCode;

use crate::error::ApiError;
use crate::gateway::Gateway;

const FIELD: &str = "photo";

/// The file in the field `photo` of a form.
#[derive(Debug)]
pub(crate) struct PhotoUpload(pub(crate) Bytes);

impl FromRequest<Gateway> for PhotoUpload {
    type Rejection = ApiError;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, ApiError> {
        let mut form = Multipart::from_request(request, gateway).await.map_err(|_| {
            let message = "The content type must be multipart/form-data.";
            ApiError::invalid_request("CONTENT_TYPE", message).with_field("content-type")
        })?;
        while let Some(field) = form.next_field().await.map_err(malformed_form)? {
            if field.name() == Some(FIELD) {
                return field.bytes().await.map(Self).map_err(malformed_form);
            }
        }
        Err(ApiError::invalid_request("MALFORMED_BODY", "`photo` is missing.").with_field(FIELD))
    }
}

fn malformed_form(error: impl IntoResponse) -> ApiError {
    if error.into_response().status() == StatusCode::PAYLOAD_TOO_LARGE {
        return ApiError::invalid_request("BODY_TOO_LARGE", "The request is too large.");
    }
    ApiError::invalid_request("MALFORMED_BODY", "The form is malformed.")
}
