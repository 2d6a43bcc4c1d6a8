//! Envelope of successful responses, and their caching.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, VARY};
use kit::InternalError;
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::error::ApiError;

/// A successful response.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ApiResponse<T> {
    /// Always true.
    success: bool,
    data: T,
    /// Always empty.
    errors: Vec<String>,
}

impl<T> ApiResponse<T> {
    pub(crate) const fn new(data: T) -> Self {
        Self {
            success: true,
            data,
            errors: Vec::new(),
        }
    }
}

impl<T: Serialize> IntoResponse for ApiResponse<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// A successful response with data of the consumer, which the client may store but has to revalidate by its `ETag`.
#[derive(Debug)]
pub(crate) struct PersonalResponse<T>(T);

impl<T> PersonalResponse<T> {
    pub(crate) const fn new(data: T) -> Self {
        Self(data)
    }
}

impl<T: Serialize> IntoResponse for PersonalResponse<T> {
    fn into_response(self) -> Response {
        let body = match serde_json::to_vec(&ApiResponse::new(self.0)) {
            Ok(body) => body,
            Err(error) => return ApiError::from(InternalError::invariant_violated(error)).into_response(),
        };
        let headers = [
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
            (VARY, HeaderValue::from_static("cookie")),
            (ETAG, entity_tag(&body)),
        ];
        (headers, body).into_response()
    }
}

/// Returns the `ETag` of a body. Weak, because the body may be sent compressed or uncompressed.
pub(crate) fn entity_tag(body: &[u8]) -> HeaderValue {
    let tag = format!("W/\"{}\"", hex::encode(&Sha256::digest(body)[..12]));
    HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("W/\"\""))
}
