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
use crate::types::quote::Needed;
use crate::types::store_query::PositionError;

/// The reason and, alone of all reasons, the message that the specification has the app react to (section 8).
const DEBT: &str = "FAILED_ACH_PAYMENTS";
const DEBT_MESSAGE: &str = "failed_ach_payments";

/// A call that did what it was asked.
#[derive(Debug, Serialize, ToSchema)]
pub struct Answer<T> {
    /// True.
    pub success: bool,
    /// What was asked for.
    pub data: T,
    /// Empty.
    pub errors: Vec<String>,
}

impl<T> Answer<T> {
    /// An answer with its data.
    pub const fn of(data: T) -> Self {
        Self {
            success: true,
            data,
            errors: Vec::new(),
        }
    }
}

impl<T: Serialize> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// A call that was refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct Failure {
    /// False.
    pub success: bool,
    /// What is needed to go on, or null.
    #[schema(required, value_type = Option<Needed>)]
    pub data: Option<Box<serde_json::value::RawValue>>,
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
#[derive(Debug, Clone)]
pub struct Refused(pub ServiceError);

impl Refused {
    /// The request cannot be understood.
    pub fn malformed(reason: &'static str, message: impl Into<std::borrow::Cow<'static, str>>) -> Self {
        Self(ServiceError::new(ErrorCode::InvalidRequest, reason, message))
    }

    /// Nobody is signed in.
    #[must_use]
    pub fn unauthenticated() -> Self {
        Self(ServiceError::new(
            ErrorCode::Unauthenticated,
            "UNAUTHENTICATED",
            "Please sign in.",
        ))
    }
}

impl From<ServiceError> for Refused {
    fn from(refusal: ServiceError) -> Self {
        Self(refusal)
    }
}

/// What a service said: its refusal as it is; anything else is logged here and told without details.
impl From<tonic::Status> for Refused {
    fn from(status: tonic::Status) -> Self {
        Self(InternalError::from(status).into())
    }
}

impl From<PositionError> for Refused {
    fn from(error: PositionError) -> Self {
        Self(
            ServiceError::new(ErrorCode::InvalidRequest, "MALFORMED_POSITION", error.to_string())
                .with_field("lat"),
        )
    }
}

impl From<PageTooLarge> for Refused {
    fn from(error: PageTooLarge) -> Self {
        Self(
            ServiceError::new(ErrorCode::InvalidRequest, "MALFORMED_QUERY", error.to_string())
                .with_field("take"),
        )
    }
}

impl From<ServiceError> for Failure {
    fn from(refusal: ServiceError) -> Self {
        Self {
            success: false,
            data: refusal
                .data
                .and_then(|json| serde_json::value::RawValue::from_string(json).ok()),
            errors: vec![refusal.message.into_owned()],
            message: (refusal.reason == DEBT).then(|| DEBT_MESSAGE.to_owned()),
            reason: refusal.reason.into_owned(),
            field: refusal.field.map(std::borrow::Cow::into_owned),
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let (code, retry_after) = (self.0.code, self.0.retry_after);
        let status = StatusCode::from_u16(code.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(Failure::from(self.0))).into_response();
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
        let body = match serde_json::to_vec(&Answer::of(self.data)) {
            Ok(body) => body,
            Err(error) => {
                tracing::error!(%error, "answer not written");
                return Refused(ServiceError::internal()).into_response();
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

    async fn written(refusal: ServiceError) -> (StatusCode, http::HeaderMap, serde_json::Value) {
        let (head, body) = Refused(refusal).into_response().into_parts();
        let body = axum::body::to_bytes(body, 10_000).await.unwrap();
        (head.status, head.headers, serde_json::from_slice(&body).unwrap())
    }

    #[tokio::test]
    async fn a_refusal_keeps_its_reason_field_and_data() {
        let refusal = ServiceError::new(ErrorCode::Conflict, "PRICE_CHANGED", "The price changed.")
            .with_field("tip")
            .with_data(r#"{"quote":1}"#.to_owned());
        let (status, _, body) = written(refusal).await;
        assert_eq!(status, 409);
        assert_eq!(
            body,
            serde_json::json!({"success": false, "data": {"quote": 1}, "errors": ["The price changed."],
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
        let refused = Refused::from(tonic::Status::unknown("relation \"orders\" does not exist"));
        let (status, _, body) = written(refused.0).await;
        assert_eq!(status, 500);
        assert!(!body.to_string().contains("relation"));
    }
}
