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

/// A successful response with `Cache-Control` and `ETag`.
#[derive(Debug)]
pub(crate) struct CacheableResponse<T> {
    data: T,
    cache_control: &'static str,
}

impl<T> CacheableResponse<T> {
    /// Creates a response that is the same for all consumers.
    pub(crate) const fn public(data: T) -> Self {
        Self {
            data,
            cache_control: "public, max-age=30",
        }
    }

    /// Creates a response that contains the favorites of the consumer if one is signed in.
    pub(crate) const fn with_favorites(data: T, is_signed_in: bool) -> Self {
        let cache_control = if is_signed_in {
            "private, no-cache"
        } else {
            "public, max-age=15"
        };
        Self { data, cache_control }
    }
}

impl<T: Serialize> IntoResponse for CacheableResponse<T> {
    fn into_response(self) -> Response {
        let body = match serde_json::to_vec(&ApiResponse::new(self.data)) {
            Ok(body) => body,
            Err(error) => return ApiError::from(InternalError::invariant_violated(error)).into_response(),
        };
        // Weak, because the response may be sent compressed or uncompressed.
        let tag = format!("W/\"{}\"", hex::encode(&Sha256::digest(&body)[..12]));
        let headers = [
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (CACHE_CONTROL, HeaderValue::from_static(self.cache_control)),
            (VARY, HeaderValue::from_static("cookie")),
            (
                ETAG,
                HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("W/\"\"")),
            ),
        ];
        (headers, body).into_response()
    }
}
