//! How a call is refused: one small set of codes, a stable reason for code, a sentence for the person. The same
//! refusal travels as a gRPC status between processes and as an HTTP answer outside.

use std::{borrow::Cow, collections::HashMap, time::Duration};

use prost::{Message, Name};
use prost_types::Any;
use tonic::Status;
use tonic_types::{ErrorDetails, StatusExt, pb};

/// Marks the error details of this crate, as opposed to those of proxies.
const DOMAIN: &str = "kit";

/// The reason of a call that was refused because of its caller token (see [`crate::caller`]): unlike `UNAUTHENTICATED`
/// it says nothing of consumers and their sessions. It stays between our processes.
pub const CALLER_TOKEN_INVALID: &str = "CALLER_TOKEN_INVALID";

/// The kinds of refusal. Each has one gRPC code and one HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// The request cannot be understood (400).
    InvalidRequest,
    /// Nobody is signed in (401).
    Unauthenticated,
    /// Not yours, or refused by a rule about who (403).
    Forbidden,
    /// There is no such thing (404).
    NotFound,
    /// The world moved, or the key was used for something else (409).
    Conflict,
    /// A rule about the content is broken; names the field (422).
    RuleViolation,
    /// Too often (429).
    RateLimited,
    /// Something that is needed is away for now; trying again is safe (503).
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

    /// The status outside.
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

/// A refusal with its reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}: {message}")]
pub struct ServiceError {
    /// What kind it is.
    pub code: ErrorCode,
    /// Stable, for code: `STORE_CLOSED`.
    pub reason: Cow<'static, str>,
    /// A sentence for the person.
    pub message: Cow<'static, str>,
    /// The field of the request that it is about.
    pub field: Option<Cow<'static, str>>,
    /// A typed message with data for the caller, for example the new quote after a price change.
    pub detail: Option<Any>,
    /// When to try again.
    pub retry_after: Option<Duration>,
}

impl ServiceError {
    /// A refusal for a reason.
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

    /// Names the field that it is about.
    #[must_use]
    pub fn with_field(mut self, field: impl Into<Cow<'static, str>>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Attaches a typed message with data for the caller.
    #[must_use]
    pub fn with_detail(mut self, message: &impl Name) -> Self {
        // Encoding into a vector cannot run out of space, the only error of this call.
        self.detail = Any::from_msg(message).ok();
        self
    }

    /// Returns the attached message if it has type `M`.
    #[must_use]
    pub fn detail<M: Name + Default>(&self) -> Option<M> {
        self.detail.as_ref()?.to_msg().ok()
    }

    /// Says when to try again.
    #[must_use]
    pub const fn with_retry_after(mut self, after: Duration) -> Self {
        self.retry_after = Some(after);
        self
    }

    /// Something needed is away; trying again is safe.
    #[must_use]
    pub fn unavailable() -> Self {
        Self::new(
            ErrorCode::Unavailable,
            "UNAVAILABLE",
            "This is not available right now. Please try again in a moment.",
        )
        .with_retry_after(Duration::from_secs(1))
    }

    /// A bug; nothing of it is told outside.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(
            ErrorCode::Internal,
            "INTERNAL",
            "Something went wrong on our side. Please try again.",
        )
    }

    /// What a failed call between processes said. Who is signed in is for a service of ours to say: whoever else does
    /// not take our word for who calls refuses this process, which is an internal error.
    #[must_use]
    pub fn from_status(status: &Status) -> Self {
        let code = if broke_on_the_way(status) {
            ErrorCode::Unavailable
        } else {
            ErrorCode::from_grpc(status.code())
        };
        let details = status.get_error_details();
        let said = details.error_info().filter(|info| info.domain == DOMAIN);
        let Some(info) = said.filter(|info| info.reason != CALLER_TOKEN_INVALID) else {
            return match code {
                ErrorCode::Unavailable => Self::unavailable(),
                _ => Self::internal(),
            };
        };
        let message = details
            .localized_message()
            .map(|said| said.message.clone())
            .unwrap_or_default();
        Self {
            code,
            reason: info.reason.clone().into(),
            message: message.into(),
            field: info.metadata.get("field").cloned().map(Cow::Owned),
            detail: custom_detail(status),
            retry_after: details.retry_info().and_then(|info| info.retry_delay),
        }
    }
}

/// Why a callee does not take this process's word for who calls; none where it says anything else.
pub(crate) fn rejected_token(status: &Status) -> Option<&str> {
    let refused = status.code() == tonic::Code::Unauthenticated
        && ServiceError::from_status(status).code == ErrorCode::Internal;
    refused.then(|| status.message())
}

/// Whether nobody answered: the connection broke, because the callee died or the network did. What came over the wire has
/// no source, whatever its code.
fn broke_on_the_way(status: &Status) -> bool {
    matches!(status.code(), tonic::Code::Unknown | tonic::Code::Internal)
        && std::error::Error::source(status).is_some()
}

impl From<ServiceError> for Status {
    fn from(refusal: ServiceError) -> Self {
        let mut metadata = HashMap::new();
        if let Some(field) = refusal.field {
            metadata.insert("field".to_owned(), field.into_owned());
        }
        let mut details = ErrorDetails::with_error_info(refusal.reason, DOMAIN, metadata);
        details.set_localized_message("en-US", refusal.message.clone());
        if refusal.retry_after.is_some() {
            details.set_retry_info(refusal.retry_after);
        }
        let status = Self::with_error_details(refusal.code.grpc(), refusal.message, details);
        match refusal.detail {
            Some(detail) => append_detail(&status, detail),
            None => status,
        }
    }
}

/// Prefix of the standard error details, which `tonic_types` decodes.
const STANDARD_DETAILS: &str = "type.googleapis.com/google.rpc.";

fn append_detail(status: &Status, detail: Any) -> Status {
    let mut encoded = pb::Status::decode(status.details()).unwrap_or_default();
    encoded.details.push(detail);
    Status::with_details(
        status.code(),
        status.message(),
        encoded.encode_to_vec().into(),
    )
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
    fn travels_whole_between_processes() {
        let refusal = ServiceError::new(ErrorCode::Conflict, "PRICE_CHANGED", "The price changed.")
            .with_field("total")
            .with_detail(&prost_types::Duration { seconds: 1, nanos: 0 })
            .with_retry_after(Duration::from_secs(2));
        assert_eq!(ServiceError::from_status(&Status::from(refusal.clone())), refusal);
    }

    #[test]
    fn the_inside_stays_inside() {
        let refusal = ServiceError::from_status(&Status::unknown("relation \"orders\" does not exist"));
        assert_eq!(refusal, ServiceError::internal());
    }

    #[test]
    fn who_is_signed_in_is_for_a_service_of_ours_to_say() {
        let signed_out = ServiceError::new(ErrorCode::Unauthenticated, "UNAUTHENTICATED", "Please sign in.");
        let status = Status::from(signed_out.clone());
        assert_eq!(ServiceError::from_status(&status), signed_out);
        assert_eq!(rejected_token(&status), None);
        let by_a_proxy = Status::unauthenticated("no certificate");
        assert_eq!(ServiceError::from_status(&by_a_proxy), ServiceError::internal());
        assert_eq!(rejected_token(&by_a_proxy), Some("no certificate"));
    }

    #[test]
    fn a_callee_that_dies_is_away_and_no_bug_of_ours() {
        let broken = Status::from_error("connection reset by peer".into());
        assert_eq!(
            (broken.code(), ServiceError::from_status(&broken)),
            (tonic::Code::Unknown, ServiceError::unavailable())
        );
    }
}
