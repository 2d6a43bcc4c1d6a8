//! Envelope of error responses.

use std::borrow::Cow;
use std::convert::Infallible;

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::header::RETRY_AFTER;
use http::{HeaderName, HeaderValue, StatusCode};
use kit::{ErrorCode, InternalError, ServiceError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::types::enums::UnknownValue;
use crate::types::page::PageTooLarge;
use crate::types::quote::{Quote, QuoteData};
use crate::types::store_query::PositionError;

/// Reason of calls that are rejected because the consumer owes a returned payment. The app recognizes such responses by
/// their message (specification section 8).
const DEBT_REASON: &str = "FAILED_ACH_PAYMENTS";
const DEBT_MESSAGE: &str = "failed_ach_payments";

/// An error response.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorResponse {
    /// Always false.
    success: bool,
    /// What the client needs to continue; null if no data is needed.
    #[schema(required)]
    data: Option<QuoteData>,
    /// Sentences for the consumer.
    errors: Vec<String>,
    /// Reason code, for example `STORE_CLOSED`.
    reason: String,
    /// "`failed_ach_payments`" if the consumer owes a returned payment; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// The field of the request that caused the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

/// An error that a handler, an extractor or a middleware returns.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub(crate) error: ServiceError,
    quote: Option<Box<Quote>>,
}

impl ApiError {
    pub(crate) fn new(code: ErrorCode, reason: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        ServiceError::new(code, reason, message).into()
    }

    pub(crate) fn invalid_request(reason: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::InvalidRequest, reason, message)
    }

    pub(crate) fn unauthenticated() -> Self {
        Self::new(ErrorCode::Unauthenticated, "UNAUTHENTICATED", "Please sign in.")
    }

    pub(crate) fn operator_key_invalid() -> Self {
        let message = "That operator key isn't valid.";
        Self::new(ErrorCode::Unauthenticated, "UNAUTHENTICATED", message)
    }

    pub(crate) fn page_not_found() -> Self {
        Self::new(ErrorCode::NotFound, "NOT_FOUND", "Page not found.")
    }

    /// Attaches the quote that the consumer has to confirm.
    pub(crate) fn with_quote(self, quote: Quote) -> Self {
        Self {
            quote: Some(Box::new(quote)),
            ..self
        }
    }

    pub(crate) fn with_field(self, field: &'static str) -> Self {
        Self {
            error: self.error.with_field(field),
            ..self
        }
    }

    fn into_json(self) -> Json<ErrorResponse> {
        let Self { error, quote } = self;
        Json(ErrorResponse {
            success: false,
            data: quote.map(|quote| QuoteData { quote: Some(*quote) }),
            errors: vec![error.message.into_owned()],
            message: (error.reason == DEBT_REASON).then(|| DEBT_MESSAGE.to_owned()),
            reason: error.reason.into_owned(),
            field: error.field.map(Cow::into_owned),
        })
    }
}

/// Responds to a method that the path does not support. The caller adds the `Allow` header.
pub(crate) async fn method_not_allowed() -> Response {
    let error = ApiError::invalid_request("METHOD_NOT_ALLOWED", "Method not allowed.");
    (StatusCode::METHOD_NOT_ALLOWED, error.into_json()).into_response()
}

impl From<ServiceError> for ApiError {
    fn from(error: ServiceError) -> Self {
        Self { error, quote: None }
    }
}

/// Logs internal errors and hides their details.
impl From<InternalError> for ApiError {
    fn from(error: InternalError) -> Self {
        ServiceError::from(error).into()
    }
}

/// Passes on the error that a service returned.
impl From<tonic::Status> for ApiError {
    fn from(status: tonic::Status) -> Self {
        InternalError::from(status).into()
    }
}

/// For conversions that cannot fail.
impl From<Infallible> for ApiError {
    fn from(error: Infallible) -> Self {
        match error {}
    }
}

impl From<UnknownValue> for ApiError {
    fn from(error: UnknownValue) -> Self {
        InternalError::invariant_violated(error).into()
    }
}

impl From<PositionError> for ApiError {
    fn from(error: PositionError) -> Self {
        Self::invalid_request("MALFORMED_POSITION", error.to_string()).with_field(error.field())
    }
}

impl From<PageTooLarge> for ApiError {
    fn from(error: PageTooLarge) -> Self {
        Self::invalid_request("MALFORMED_QUERY", error.to_string()).with_field("take")
    }
}

/// Header that names the number of seconds after which the call can be repeated.
pub(crate) type RetryAfter = [(HeaderName, HeaderValue); 1];

/// Returns `None` unless the call can be repeated later.
pub(crate) fn retry_after(error: &ServiceError) -> Option<RetryAfter> {
    matches!(error.code, ErrorCode::RateLimited | ErrorCode::Unavailable).then(|| {
        let seconds = error.retry_after.map_or(1, |after| after.as_secs().max(1));
        [(RETRY_AFTER, HeaderValue::from(seconds))]
    })
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let code = self.error.code.http_status();
        let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, retry_after(&self.error), self.into_json()).into_response()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn respond(error: impl Into<ApiError>) -> (StatusCode, http::HeaderMap, serde_json::Value) {
        let (head, body) = error.into().into_response().into_parts();
        let body = axum::body::to_bytes(body, 10_000).await.unwrap();
        (head.status, head.headers, serde_json::from_slice(&body).unwrap())
    }

    #[tokio::test]
    async fn an_error_response_has_reason_field_and_data() {
        let error =
            ApiError::new(ErrorCode::Conflict, "PRICE_CHANGED", "The price changed.").with_field("tip");
        let quote = proto::ordering::v1::Quote {
            points: 50,
            ..Default::default()
        };
        let (status, _, mut body) = respond(error.with_quote(quote.try_into().unwrap())).await;
        assert_eq!(status, 409);
        assert_eq!(body["data"].take()["quote"]["points"], 50);
        assert_eq!(
            body,
            serde_json::json!({"success": false, "data": null, "errors": ["The price changed."],
                "reason": "PRICE_CHANGED", "field": "tip"})
        );
    }

    #[tokio::test]
    async fn only_errors_because_of_debts_have_a_message() {
        let (status, _, body) =
            respond(ApiError::new(ErrorCode::Forbidden, DEBT_REASON, "Please settle.")).await;
        assert_eq!(
            (status.as_u16(), body["message"].as_str()),
            (403, Some("failed_ach_payments"))
        );
        let (_, _, body) = respond(ServiceError::internal()).await;
        assert!(body.get("message").is_none());
    }

    #[tokio::test]
    async fn retryable_errors_have_a_retry_after_header() {
        let error = ServiceError::new(ErrorCode::RateLimited, "TOO_MANY", "Slow down.")
            .with_retry_after(Duration::from_secs(30));
        let (status, headers, _) = respond(error).await;
        assert_eq!(
            (status.as_u16(), headers[RETRY_AFTER].to_str().unwrap()),
            (429, "30")
        );
        let (status, headers, _) = respond(ServiceError::unavailable()).await;
        assert_eq!(
            (status.as_u16(), headers[RETRY_AFTER].to_str().unwrap()),
            (503, "1")
        );
    }

    #[tokio::test]
    async fn internal_details_are_hidden() {
        let (status, _, body) = respond(tonic::Status::unknown("relation \"orders\" does not exist")).await;
        assert_eq!(status, 500);
        assert!(!body.to_string().contains("relation"));
    }
}
