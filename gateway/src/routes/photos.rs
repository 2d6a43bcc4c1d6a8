//! The consumer's photo.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use proto::accounts::v1 as accounts;

use crate::error::ApiError;
use crate::extract::{Consumer, PhotoUpload, Query};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::account::{PhotoQuery, Profile, SetPhotoForm};

/// Stores the consumer's photo, cut to a square, without metadata.
///
/// Reasons of errors: `PHOTO_TOO_LARGE` for more than 8 MiB, `PHOTO_DIMENSIONS_TOO_LARGE`, `PHOTO_FORMAT_UNSUPPORTED`, and
/// `PHOTO_UNREADABLE`.
#[utoipa::path(post, path = "/api/consumer/user/photo", tag = "account",
    request_body(content = SetPhotoForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ApiResponse<Profile>)))]
pub(crate) async fn set_photo(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    PhotoUpload(image): PhotoUpload,
) -> Result<ApiResponse<Profile>, ApiError> {
    let request = accounts::SetPhotoRequest { image: image.into() };
    let mut client = gateway.clients.accounts(&consumer.context);
    let profile = client.set_photo(request).await?;
    Ok(ApiResponse::new(profile.into_inner().into()))
}

/// Removes the consumer's photo. Repeating it changes nothing.
#[utoipa::path(post, path = "/api/consumer/user/remove-photo", tag = "account",
    responses((status = 200, body = ApiResponse<Profile>)))]
pub(crate) async fn remove_photo(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<Profile>, ApiError> {
    let mut client = gateway.clients.accounts(&consumer.context);
    let profile = client.remove_photo(accounts::RemovePhotoRequest {}).await?;
    Ok(ApiResponse::new(profile.into_inner().into()))
}

/// Returns the consumer's own photo. A new photo has a new id, so clients may cache it without revalidation.
#[utoipa::path(get, path = "/api/consumer/user/profile-photo", tag = "account", params(PhotoQuery),
    responses((status = 200, body = Vec<u8>, content_type = "image/jpeg")))]
pub(crate) async fn get_photo(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<PhotoQuery>,
) -> Result<Response, ApiError> {
    let request = accounts::GetPhotoRequest {
        photo_id: query.photo_id,
    };
    let mut client = gateway.clients.accounts(&consumer.context);
    let photo = client.get_photo(request).await?;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("image/jpeg")),
        (
            CACHE_CONTROL,
            HeaderValue::from_static("private, max-age=31536000, immutable"),
        ),
        (
            CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'"),
        ),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    Ok((headers, photo.into_inner().image).into_response())
}
