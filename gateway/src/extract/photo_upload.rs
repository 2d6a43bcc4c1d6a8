//! Uploaded photos.

use axum::extract::multipart::MultipartError;
use axum::extract::{FromRequest, Multipart, Request};
use bytes::Bytes;
use kit::ErrorCode;
use types::limits::MAX_PHOTO_BYTES;

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

/// The size was checked before, when the body was read.
fn malformed_form(_: MultipartError) -> ApiError {
    ApiError::invalid_request("MALFORMED_BODY", "The form is malformed.")
}

/// Returns the error for a body that is too large because of its photo. Accounts returns the same for a photo that fits into the body.
pub(crate) fn photo_too_large() -> ApiError {
    let megabytes = MAX_PHOTO_BYTES >> 20;
    let message = format!("That photo is too large. Please choose one of up to {megabytes} MB.");
    ApiError::new(ErrorCode::RuleViolation, "PHOTO_TOO_LARGE", message).with_field(FIELD)
}
