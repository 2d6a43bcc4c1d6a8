//! What calls ask for.

use std::str::FromStr;

use jiff::Timestamp;
use kit::{ErrorCode, ServiceError};
use proto::values::v1;
use types::Page;

use crate::domain::{geo::Position, pickup::Wanted};

/// Lists hold so many unless the caller says otherwise.
const USUAL_PAGE: u32 = 20;

/// An id. One that cannot be read is nobody's, and refused like one that is not there.
pub fn known_id<T: FromStr>(
    text: &str,
    reason: &'static str,
    message: &'static str,
) -> Result<T, ServiceError> {
    text.parse()
        .map_err(|_| ServiceError::new(ErrorCode::NotFound, reason, message))
}

/// The id of a store.
pub fn store_id(text: &str) -> Result<types::StoreId, ServiceError> {
    known_id(text, "STORE_UNKNOWN", "There is no such store.")
}

/// The id of an order.
pub fn order_id(text: &str) -> Result<types::OrderId, ServiceError> {
    text.parse().map_err(|_| {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "ORDER_ID_INVALID",
            "This is not the id of an order.",
        )
        .with_field("orderId")
    })
}

/// Where the consumer is, if they say.
pub fn position(position: Option<v1::Position>) -> Result<Option<Position>, ServiceError> {
    position
        .map(|position| Position::new(position.latitude, position.longitude))
        .transpose()
        .map_err(|error| {
            ServiceError::new(ErrorCode::InvalidRequest, "POSITION_INVALID", error.to_string())
                .with_field("position")
        })
}

/// A page of a list.
pub fn page(page: Option<v1::Page>) -> Page {
    let page = page.unwrap_or_default();
    Page::new(page.take, page.skip, USUAL_PAGE)
}

/// An instant; nothing for an empty text.
pub fn instant(text: &str, field: &'static str) -> Result<Option<Timestamp>, ServiceError> {
    if text.is_empty() {
        return Ok(None);
    }
    let malformed = |_| {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "TIME_INVALID",
            "Expected a time like 2026-11-20T17:30:00Z.",
        )
    };
    text.parse()
        .map(Some)
        .map_err(|error: jiff::Error| malformed(error).with_field(field))
}

/// When an order is wanted.
pub fn wanted(pickup_at: &str) -> Result<Wanted, ServiceError> {
    Ok(instant(pickup_at, "pickupAt")?.map_or(Wanted::Soonest, Wanted::At))
}
