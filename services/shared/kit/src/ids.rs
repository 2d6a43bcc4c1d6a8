//! Ids in requests.

use std::str::FromStr;

use types::IdError;

use crate::service_error::{ErrorCode, ServiceError};

/// Parses an id of a request. An id that can be parsed and is unknown is [`ErrorCode::NotFound`].
///
/// # Errors
/// `ID_MALFORMED` with the name of the field.
pub fn parse_id<T: FromStr<Err = IdError>>(text: &str, field: &'static str) -> Result<T, ServiceError> {
    text.parse().map_err(|_| {
        let message = format!("`{field}` isn't a valid id.");
        ServiceError::new(ErrorCode::InvalidRequest, "ID_MALFORMED", message).with_field(field)
    })
}

/// Parses an id that can be empty.
///
/// # Errors
/// `ID_MALFORMED` with the name of the field.
pub fn parse_optional_id<T: FromStr<Err = IdError>>(
    text: &str,
    field: &'static str,
) -> Result<Option<T>, ServiceError> {
    match text {
        "" => Ok(None),
        text => parse_id(text, field).map(Some),
    }
}
