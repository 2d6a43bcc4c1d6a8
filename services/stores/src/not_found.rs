//! Errors for ids that do not exist or cannot be parsed.

use kit::{ErrorCode, ServiceError};

pub(crate) fn store() -> ServiceError {
    ServiceError::new(
        ErrorCode::NotFound,
        "STORE_UNKNOWN",
        "We couldn't find that store.",
    )
}

pub(crate) fn company() -> ServiceError {
    ServiceError::new(
        ErrorCode::NotFound,
        "COMPANY_UNKNOWN",
        "We couldn't find that company.",
    )
}

pub(crate) fn category() -> ServiceError {
    ServiceError::new(
        ErrorCode::NotFound,
        "CATEGORY_UNKNOWN",
        "We couldn't find that section of the menu.",
    )
}

pub(crate) fn item() -> ServiceError {
    ServiceError::new(
        ErrorCode::NotFound,
        "ITEM_UNKNOWN",
        "We couldn't find that item on the menu.",
    )
}
