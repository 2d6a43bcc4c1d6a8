//! Uploaded photos.

use std::time::Duration;

use axum::body::Body;
use axum::extract::multipart::MultipartError;
use axum::extract::{FromRequest, Multipart, Request};
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use kit::ErrorCode;
use types::limits::MAX_PHOTO_BYTES;

use super::body::{too_slow, unreadable};
use crate::error::ApiError;
use crate::gateway::Gateway;

const FIELD: &str = "photo";

/// Maximum size of a form with a photo: the photo and the other parts of the form.
pub(crate) const MAX_UPLOAD_BYTES: usize = MAX_PHOTO_BYTES + 4_096;

/// Bytes of a larger form that are read and discarded.
const MAX_DISCARDED_BYTES: usize = 3 * MAX_UPLOAD_BYTES;
const MAX_DISCARD_TIME: Duration = Duration::from_secs(10);

/// Reads a form as it was sent. Its only large part is the photo.
///
/// # Errors
/// `BODY_TOO_SLOW`, `PHOTO_TOO_LARGE`, or `BODY_UNREADABLE` if the connection broke.
pub(crate) async fn read_upload(timeout: Duration, mut body: Body) -> Result<Bytes, ApiError> {
    let form = Limited::new(&mut body, MAX_UPLOAD_BYTES).collect();
    match tokio::time::timeout(timeout, form).await {
        Ok(Ok(form)) => Ok(form.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let _ = tokio::time::timeout(MAX_DISCARD_TIME, discard(body)).await;
            Err(photo_too_large())
        }
        Ok(Err(_)) => Err(unreadable()),
        Err(_) => Err(too_slow()),
    }
}

/// Browsers read the response only after they have sent the form. If the connection is closed earlier, they report a network error.
async fn discard(mut body: Body) {
    let mut discarded = 0;
    while let Some(Ok(frame)) = body.frame().await {
        discarded += frame.data_ref().map_or(0, Bytes::len);
        if discarded > MAX_DISCARDED_BYTES {
            return;
        }
    }
}

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
fn photo_too_large() -> ApiError {
    let megabytes = MAX_PHOTO_BYTES >> 20;
    let message = format!("That photo is too large. Please choose one of up to {megabytes} MB.");
    ApiError::new(ErrorCode::RuleViolation, "PHOTO_TOO_LARGE", message).with_field(FIELD)
}
