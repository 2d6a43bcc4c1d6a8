//! Errors that several operations return.

use kit::{ErrorCode, ServiceError};
use types::limits::{MAX_CART_LINES, MAX_VEHICLE_CHARS};

use crate::domain::{card_hold::PickupTooLate, cart::CartError};

pub(crate) fn invalid_field(field: &'static str) -> ServiceError {
    let message = format!("`{field}` is missing or malformed.");
    ServiceError::new(ErrorCode::InvalidRequest, "MALFORMED", message).with_field(field)
}

fn too_long(field: &'static str, max_chars: usize) -> ServiceError {
    let message = format!("`{field}` can have up to {max_chars} characters.");
    ServiceError::new(ErrorCode::InvalidRequest, "MALFORMED", message).with_field(field)
}

pub(crate) fn order_unknown() -> ServiceError {
    ServiceError::new(
        ErrorCode::NotFound,
        "ORDER_UNKNOWN",
        "We couldn't find that order.",
    )
}

/// Also the reason that stores returns.
pub(crate) const STORE_UNKNOWN: &str = "STORE_UNKNOWN";

pub(crate) fn store_unknown() -> ServiceError {
    ServiceError::new(ErrorCode::NotFound, STORE_UNKNOWN, "We couldn't find that store.")
}

pub(crate) fn tip_too_large() -> ServiceError {
    ServiceError::new(
        ErrorCode::RuleViolation,
        "TIP_OUT_OF_RANGE",
        "Please choose a smaller tip.",
    )
    .with_field("cart.tipAmount")
}

pub(crate) fn vehicle_too_long() -> ServiceError {
    ServiceError::new(
        ErrorCode::RuleViolation,
        "VEHICLE_TOO_LONG",
        format!("Please describe your car in up to {MAX_VEHICLE_CHARS} characters."),
    )
    .with_field("vehicle")
}

/// For the staff of the store.
pub(crate) fn pickup_too_late(error: &PickupTooLate) -> ServiceError {
    ServiceError::new(
        ErrorCode::RuleViolation,
        "PICKUP_TIME_TOO_LATE",
        format!(
            "The guest's payment expires before that time. Choose {} or earlier.",
            error.latest()
        ),
    )
    .with_field("readyAt")
}

impl From<CartError> for ServiceError {
    fn from(error: CartError) -> Self {
        match error {
            CartError::Empty => Self::new(ErrorCode::RuleViolation, "CART_EMPTY", "Your cart is empty.")
                .with_field("cart.items"),
            CartError::TooManyLines => Self::new(
                ErrorCode::RuleViolation,
                "CART_TOO_LARGE",
                format!("Your cart can have up to {MAX_CART_LINES} different items."),
            )
            .with_field("cart.items"),
            CartError::TooManyItems { items, max_items } => Self::new(
                ErrorCode::RuleViolation,
                "ORDER_TOO_LARGE",
                format!(
                    "One order can have up to {max_items} items. Please remove {}.",
                    items - max_items
                ),
            )
            .with_field("cart.items"),
            CartError::NegativeTip => Self::new(
                ErrorCode::RuleViolation,
                "TIP_OUT_OF_RANGE",
                "The tip can't be negative.",
            )
            .with_field("cart.tipAmount"),
            CartError::InvalidField(field) => invalid_field(field),
            CartError::TooLong { field, max_chars } => too_long(field, max_chars),
        }
    }
}
