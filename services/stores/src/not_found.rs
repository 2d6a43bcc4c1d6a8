//! Errors for ids that do not exist.

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

pub(crate) fn size() -> ServiceError {
    ServiceError::new(
        ErrorCode::NotFound,
        "SIZE_UNKNOWN",
        "We couldn't find that size on the menu.",
    )
}

pub(crate) fn modification() -> ServiceError {
    ServiceError::new(
        ErrorCode::NotFound,
        "MODIFICATION_UNKNOWN",
        "We couldn't find that option on the menu.",
    )
}

pub(crate) fn choice() -> ServiceError {
    ServiceError::new(
        ErrorCode::NotFound,
        "CHOICE_UNKNOWN",
        "We couldn't find that choice on the menu.",
    )
}

pub(crate) fn usual_item() -> ServiceError {
    ServiceError::new(
        ErrorCode::NotFound,
        "USUAL_ITEM_UNKNOWN",
        "We couldn't find that usual item.",
    )
}
