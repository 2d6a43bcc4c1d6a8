//! Errors that a service returns to its caller: a code, a stable reason and a message for the consumer. They are sent as a
//! gRPC status between processes and as a JSON response outside.

use std::{borrow::Cow, collections::HashMap, time::Duration};

use prost::{Message, Name};
use prost_types::Any;
use tonic::Status;
use tonic_types::{ErrorDetails, StatusExt, pb};

/// Distinguishes error details of this crate from those of proxies.
const DOMAIN: &str = "kit";

/// Reason for a rejected caller token (see [`crate::caller`]). Unlike `UNAUTHENTICATED`, it does not concern the
/// consumer's session, and it is never sent to clients.
pub const CALLER_TOKEN_INVALID: &str = "CALLER_TOKEN_INVALID";

/// Kind of error. Each has one gRPC code and one HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// The request cannot be decoded or is incomplete (400).
    InvalidRequest,
    /// No valid session (401).
    Unauthenticated,
    /// The caller has no permission (403).
    Forbidden,
    /// (404)
    NotFound,
    /// The state changed, or the idempotency key was used for another request (409).
    Conflict,
    /// The content violates a rule (422).
    RuleViolation,
    /// (429)
    RateLimited,
    /// A dependency is unavailable; a retry is safe (503).
    Unavailable,
    /// A bug (500).
    Internal,
}

impl ErrorCode {
    const fn grpc(self) -> tonic::Code {
        match self {
            Self::InvalidRequest => tonic::Code::InvalidArgument,
            Self::Unauthenticated => tonic::Code::Unauthenticated,
            Self::Forbidden => tonic::Code::PermissionDenied,
            Self::NotFound => tonic::Code::NotFound,
            Self::Conflict => tonic::Code::Aborted,
            Self::RuleViolation => tonic::Code::FailedPrecondition,
            Self::RateLimited => tonic::Code::ResourceExhausted,
            Self::Unavailable => tonic::Code::Unavailable,
            Self::Internal => tonic::Code::Internal,
        }
    }

    const fn from_grpc(code: tonic::Code) -> Self {
        match code {
            tonic::Code::InvalidArgument | tonic::Code::OutOfRange => Self::InvalidRequest,
            tonic::Code::Unauthenticated => Self::Unauthenticated,
            tonic::Code::PermissionDenied => Self::Forbidden,
            tonic::Code::NotFound => Self::NotFound,
            tonic::Code::Aborted | tonic::Code::AlreadyExists => Self::Conflict,
            tonic::Code::FailedPrecondition => Self::RuleViolation,
            tonic::Code::ResourceExhausted => Self::RateLimited,
            tonic::Code::Unavailable | tonic::Code::DeadlineExceeded | tonic::Code::Cancelled => {
                Self::Unavailable
            }
            _ => Self::Internal,
        }
    }

    /// Returns the HTTP status.
    #[must_use]
    pub const fn http_status(self) -> u16 {
        match self {
            Self::InvalidRequest => 400,
            Self::Unauthenticated => 401,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::Conflict => 409,
            Self::RuleViolation => 422,
            Self::RateLimited => 429,
            Self::Unavailable => 503,
            Self::Internal => 500,
        }
    }
}

/// An error for the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}: {message}")]
pub struct ServiceError {
    pub code: ErrorCode,
    /// Stable, for programs: `STORE_CLOSED`.
    pub reason: Cow<'static, str>,
    /// One or two sentences for the consumer.
    pub message: Cow<'static, str>,
    /// The request's field that caused the error.
    pub field: Option<Cow<'static, str>>,
    /// A typed message with data for the caller, for example the new quote after a price change.
    pub detail: Option<Box<Any>>,
    pub retry_after: Option<Duration>,
}

impl ServiceError {
    pub fn new(
        code: ErrorCode,
        reason: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            code,
            reason: reason.into(),
            message: message.into(),
            field: None,
            detail: None,
            retry_after: None,
        }
    }

    #[must_use]
    pub fn with_field(mut self, field: impl Into<Cow<'static, str>>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Attaches a typed message with data for the caller.
    #[must_use]
    pub fn with_detail(mut self, message: &impl Name) -> Self {
        // Cannot fail: the only error is a buffer without capacity, and a vector grows.
        self.detail = Any::from_msg(message).ok().map(Box::new);
        self
    }

    /// Returns the attached message if it has type `M`.
    #[must_use]
    pub fn detail<M: Name + Default>(&self) -> Option<M> {
        self.detail.as_ref()?.to_msg().ok()
    }

    #[must_use]
    pub const fn with_retry_after(mut self, after: Duration) -> Self {
        self.retry_after = Some(after);
        self
    }

    /// Creates the error for a dependency that is unavailable. A retry is safe.
    #[must_use]
    pub fn unavailable() -> Self {
        Self::new(
            ErrorCode::Unavailable,
            "UNAVAILABLE",
            "This isn't available right now. Please try again in a moment.",
        )
        .with_retry_after(Duration::from_secs(1))
    }

    /// Creates the error for a bug. It contains no details.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(
            ErrorCode::Internal,
            "INTERNAL",
            "Something went wrong on our side. Please try again.",
        )
    }

    /// Decodes the error of a call to another process. A status without the details of a `ServiceError`, for example
    /// `UNAUTHENTICATED` from a proxy, becomes an internal error or an unavailable dependency, as does a rejected
    /// caller token: only an error of the service itself may sign the consumer out.
    #[must_use]
    pub fn from_status(status: &Status) -> Self {
        let code = if is_transport_error(status) {
            ErrorCode::Unavailable
        } else {
            ErrorCode::from_grpc(status.code())
        };
        let details = status.get_error_details();
        let info = details
            .error_info()
            .filter(|info| info.domain == DOMAIN && info.reason != CALLER_TOKEN_INVALID);
        let Some(info) = info else {
            return match code {
                ErrorCode::Unavailable => Self::unavailable(),
                _ => Self::internal(),
            };
        };
        let message = details
            .localized_message()
            .map(|localized| localized.message.clone())
            .unwrap_or_default();
        Self {
            code,
            reason: info.reason.clone().into(),
            message: message.into(),
            field: info.metadata.get("field").cloned().map(Cow::Owned),
            detail: custom_detail(status).map(Box::new),
            retry_after: details.retry_info().and_then(|info| info.retry_delay),
        }
    }
}

/// Returns the message of a status that rejects this process's caller token, and `None` for any other status.
pub(crate) fn rejected_token(status: &Status) -> Option<&str> {
    let is_rejected = status.code() == tonic::Code::Unauthenticated
        && ServiceError::from_status(status).code == ErrorCode::Internal;
    is_rejected.then(|| status.message())
}

/// Message of the status that tonic creates when a response ends early. hyper discards the reset that ended it.
const TRUNCATED_RESPONSE: &str = "protocol error: missing grpc-status trailer";

/// Returns whether the connection failed, whatever the code: tonic maps a closed connection to `RESOURCE_EXHAUSTED`,
/// `INTERNAL`, `UNKNOWN` and others, depending on the HTTP/2 error. A status received from the callee has no source error.
fn is_transport_error(status: &Status) -> bool {
    std::error::Error::source(status).is_some()
        || (status.code() == tonic::Code::Unknown && status.message().starts_with(TRUNCATED_RESPONSE))
}

impl From<ServiceError> for Status {
    fn from(error: ServiceError) -> Self {
        let mut metadata = HashMap::new();
        if let Some(field) = error.field {
            metadata.insert("field".to_owned(), field.into_owned());
        }
        let mut details = ErrorDetails::with_error_info(error.reason, DOMAIN, metadata);
        details.set_localized_message("en-US", error.message.clone());
        if error.retry_after.is_some() {
            details.set_retry_info(error.retry_after);
        }
        let status = Self::with_error_details(error.code.grpc(), error.message, details);
        match error.detail {
            Some(detail) => append_detail(&status, *detail),
            None => status,
        }
    }
}

/// Prefix of the standard error details, which `tonic_types` decodes.
const STANDARD_DETAILS: &str = "type.googleapis.com/google.rpc.";

fn append_detail(status: &Status, detail: Any) -> Status {
    let mut encoded = pb::Status::decode(status.details()).unwrap_or_default();
    encoded.details.push(detail);
    Status::with_details(status.code(), status.message(), encoded.encode_to_vec().into())
}

fn custom_detail(status: &Status) -> Option<Any> {
    let encoded = pb::Status::decode(status.details()).ok()?;
    encoded
        .details
        .into_iter()
        .find(|detail| !detail.type_url.starts_with(STANDARD_DETAILS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_decoded_from_its_status_is_unchanged() {
        let error = ServiceError::new(ErrorCode::Conflict, "PRICE_CHANGED", "The price changed.")
            .with_field("total")
            .with_detail(&prost_types::Duration { seconds: 1, nanos: 0 })
            .with_retry_after(Duration::from_secs(2));
        assert_eq!(ServiceError::from_status(&Status::from(error.clone())), error);
    }

    #[test]
    fn the_message_of_a_foreign_status_is_not_passed_on() {
        let error = ServiceError::from_status(&Status::unknown("relation \"orders\" does not exist"));
        assert_eq!(error, ServiceError::internal());
    }

    #[test]
    fn only_a_service_error_can_sign_the_consumer_out() {
        let signed_out = ServiceError::new(ErrorCode::Unauthenticated, "UNAUTHENTICATED", "Please sign in.");
        let status = Status::from(signed_out.clone());
        assert_eq!(ServiceError::from_status(&status), signed_out);
        assert_eq!(rejected_token(&status), None);
        let from_proxy = Status::unauthenticated("no certificate");
        assert_eq!(ServiceError::from_status(&from_proxy), ServiceError::internal());
        assert_eq!(rejected_token(&from_proxy), Some("no certificate"));
    }

    #[test]
    fn every_failure_of_the_transport_means_unavailable() {
        let code_of = |status: &Status| ServiceError::from_status(status).code;
        for number in 1..=16 {
            let mut status = Status::new(tonic::Code::from_i32(number), "h2 protocol error");
            status.set_source(std::sync::Arc::new(std::io::Error::other("connection reset")));
            assert_eq!(code_of(&status), ErrorCode::Unavailable, "{status:?}");
        }
        let truncated = Status::unknown(
            "protocol error: missing grpc-status trailer, stream was terminated without a final status (possible truncation by a proxy or load balancer)",
        );
        assert_eq!(code_of(&truncated), ErrorCode::Unavailable);
    }

    #[test]
    fn a_broken_connection_means_unavailable() {
        let broken = Status::from_error("connection reset by peer".into());
        assert_eq!(
            (broken.code(), ServiceError::from_status(&broken)),
            (tonic::Code::Unknown, ServiceError::unavailable())
        );
    }
}
