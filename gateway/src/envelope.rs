//! The one shape of every answer: `{success, data, errors, reason, message}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, ETAG, RETRY_AFTER, VARY};
use http::{HeaderValue, StatusCode};
use kit::{ErrorCode, InternalError, ServiceError};
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::types::PageTooLarge;
use crate::types::quote::{Quote, QuoteData};
use crate::types::store_query::PositionError;

/// The reason and, alone of all reasons, the message that the specification has the app react to (section 8).
const DEBT: &str = "FAILED_ACH_PAYMENTS";
const DEBT_MESSAGE: &str = "failed_ach_payments";

/// A call that did what it was asked.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApiResponse<T> {
    /// True.
    pub success: bool,
    /// What was asked for.
    pub data: T,
    /// Empty.
    pub errors: Vec<String>,
}

impl<T> ApiResponse<T> {
    pub const fn new(data: T) -> Self {
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

/// A call that was refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorResponse {
    /// False.
    pub success: bool,
    /// What is needed to go on, or null.
    #[schema(required)]
    pub data: Option<QuoteData>,
    /// Sentences that a person may read.
    pub errors: Vec<String>,
    /// For code: STORE_CLOSED.
    pub reason: String,
    /// Only where the specification reads it: failed_ach_payments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The field of the request that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// A refusal on its way out.
#[derive(Debug)]
pub struct ApiError {
    pub error: ServiceError,
    /// What the client needs to decide how to continue.
    data: Option<Box<QuoteData>>,
}

impl ApiError {
    /// The request cannot be understood.
    pub fn malformed(reason: &'static str, message: impl Into<std::borrow::Cow<'static, str>>) -> Self {
        Self::from(ServiceError::new(ErrorCode::InvalidRequest, reason, message))
    }

    /// Nobody is signed in.
    #[must_use]
    pub fn unauthenticated() -> Self {
        Self::from(ServiceError::new(
            ErrorCode::Unauthenticated,
            "UNAUTHENTICATED",
            "Please sign in.",
        ))
    }
}

impl ApiError {
    /// Attaches the quote that the client has to confirm.
    #[must_use]
    pub fn with_quote(self, quote: Quote) -> Self {
        let data = QuoteData { quote: Some(quote) };
        Self {
            data: Some(Box::new(data)),
            ..self
        }
    }
}

impl From<ServiceError> for ApiError {
    fn from(error: ServiceError) -> Self {
        Self { error, data: None }
    }
}

/// What a service said: its refusal as it is; anything else is logged here and told without details.
impl From<tonic::Status> for ApiError {
    fn from(status: tonic::Status) -> Self {
        InternalError::from(status).into()
    }
}

impl From<InternalError> for ApiError {
    fn from(error: InternalError) -> Self {
        ServiceError::from(error).into()
    }
}

impl From<PositionError> for ApiError {
    fn from(error: PositionError) -> Self {
        Self::from(
            ServiceError::new(ErrorCode::InvalidRequest, "MALFORMED_POSITION", error.to_string())
                .with_field("lat"),
        )
    }
}

impl From<PageTooLarge> for ApiError {
    fn from(error: PageTooLarge) -> Self {
        Self::from(
            ServiceError::new(ErrorCode::InvalidRequest, "MALFORMED_QUERY", error.to_string())
                .with_field("take"),
        )
    }
}

impl From<ApiError> for ErrorResponse {
    fn from(ApiError { error, data }: ApiError) -> Self {
        Self {
            success: false,
            data: data.map(|data| *data),
            errors: vec![error.message.into_owned()],
            message: (error.reason == DEBT).then(|| DEBT_MESSAGE.to_owned()),
            reason: error.reason.into_owned(),
            field: error.field.map(std::borrow::Cow::into_owned),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (code, retry_after) = (self.error.code, self.error.retry_after);
        let status = StatusCode::from_u16(code.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(ErrorResponse::from(self))).into_response();
        if matches!(code, ErrorCode::RateLimited | ErrorCode::Unavailable) {
            let seconds = retry_after.map_or(1, |after| after.as_secs().max(1));
            response
                .headers_mut()
                .insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// An answer that may be kept for a while and asked for again by its `ETag`.
#[derive(Debug)]
pub struct Cacheable<T> {
    data: T,
    rule: &'static str,
}

impl<T> Cacheable<T> {
    /// The same for everybody: a menu.
    pub const fn public(data: T) -> Self {
        Self {
            data,
            rule: "public, max-age=30",
        }
    }

    /// With the consumer's own marks where one is signed in: a store.
    pub const fn seen_by(data: T, signed_in: bool) -> Self {
        Self {
            data,
            rule: if signed_in {
                "private, no-cache"
            } else {
                "public, max-age=15"
            },
        }
    }
}

impl<T: Serialize> IntoResponse for Cacheable<T> {
    fn into_response(self) -> Response {
        let body = match serde_json::to_vec(&ApiResponse::new(self.data)) {
            Ok(body) => body,
            Err(error) => {
                tracing::error!(%error, "answer not written");
                return ApiError::from(ServiceError::internal()).into_response();
            }
        };
        // Weak: the same answer may leave compressed or not.
        let tag = format!("W/\"{}\"", hex::encode(&Sha256::digest(&body)[..12]));
        let headers = [
            (
                http::header::CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            ),
            (CACHE_CONTROL, HeaderValue::from_static(self.rule)),
            (VARY, HeaderValue::from_static("cookie")),
            (
                ETAG,
                HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("W/\"\"")),
            ),
        ];
        (headers, body).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    async fn written(error: impl Into<ApiError>) -> (StatusCode, http::HeaderMap, serde_json::Value) {
        let (head, body) = error.into().into_response().into_parts();
        let body = axum::body::to_bytes(body, 10_000).await.unwrap();
        (head.status, head.headers, serde_json::from_slice(&body).unwrap())
    }

    #[tokio::test]
    async fn an_error_response_has_reason_field_and_data() {
        let error =
            ServiceError::new(ErrorCode::Conflict, "PRICE_CHANGED", "The price changed.").with_field("tip");
        let quote = proto::ordering::v1::Quote {
            points: 50,
            ..Default::default()
        };
        let (status, _, mut body) = written(ApiError::from(error).with_quote(quote.into())).await;
        assert_eq!(status, 409);
        assert_eq!(body["data"]["quote"]["points"], 50);
        body["data"].take();
        assert_eq!(
            body,
            serde_json::json!({"success": false, "data": null, "errors": ["The price changed."],
                "reason": "PRICE_CHANGED", "field": "tip"})
        );
    }

    #[tokio::test]
    async fn only_debts_carry_the_message_that_the_app_reads() {
        let (status, _, body) =
            written(ServiceError::new(ErrorCode::Forbidden, DEBT, "Please settle.")).await;
        assert_eq!(
            (status.as_u16(), body["message"].as_str()),
            (403, Some("failed_ach_payments"))
        );
        let (_, _, body) = written(ServiceError::internal()).await;
        assert!(body.get("message").is_none());
    }

    #[tokio::test]
    async fn says_when_to_try_again() {
        let refusal = ServiceError::new(ErrorCode::RateLimited, "TOO_MANY", "Slow down.")
            .with_retry_after(Duration::from_secs(30));
        let (status, headers, _) = written(refusal).await;
        assert_eq!(
            (status.as_u16(), headers[RETRY_AFTER].to_str().unwrap()),
            (429, "30")
        );
        let (status, headers, _) = written(ServiceError::unavailable()).await;
        assert_eq!(
            (status.as_u16(), headers[RETRY_AFTER].to_str().unwrap()),
            (503, "1")
        );
    }

    #[tokio::test]
    async fn the_inside_of_a_failed_call_stays_inside() {
        let error = ApiError::from(tonic::Status::unknown("relation \"orders\" does not exist"));
        let (status, _, body) = written(error).await;
        assert_eq!(status, 500);
        assert!(!body.to_string().contains("relation"));
    }
}
