//! Operations, one per file, named after their gRPC methods.

pub mod get_profile;
pub mod get_session;
pub mod login;
pub mod logout;
pub mod set_name;
pub mod verify;

use kit::{ErrorCode, ServiceError};

fn phone_invalid() -> ServiceError {
    ServiceError::new(
        ErrorCode::RuleViolation,
        "PHONE_INVALID",
        "Please enter a phone number that can get texts.",
    )
    .with_field("phone")
}

fn consumer_unknown() -> ServiceError {
    ServiceError::new(
        ErrorCode::NotFound,
        "CONSUMER_UNKNOWN",
        "We couldn't find your account.",
    )
}
