//! Conversion between the contract and domain types.

mod charge;
mod debt;
mod event;
mod payment_method;

use std::str::FromStr;

use kit::{ErrorCode, ServiceError};
use types::IdError;

pub use charge::{
    authorize_charge, charge, charge_snapshot, charge_subject, list_charges, listed_charge, refund_charge,
};
pub use debt::{failed_payments, recover_failed_payments, recovered_payments};
pub use event::{charge_outbox_entry, method_outbox_entry};
pub use payment_method::{bank_session, payment_method, payment_methods, setup_intent};

/// Parses an id of a request.
///
/// # Errors
/// `ID_MALFORMED` with the name of the field.
pub fn parse_id<T: FromStr<Err = IdError>>(text: &str, field: &'static str) -> Result<T, ServiceError> {
    text.parse().map_err(|_| ServiceError::malformed_id(field))
}

/// Rejects a request with a field that is missing or malformed.
fn malformed(field: &'static str) -> ServiceError {
    ServiceError::new(
        ErrorCode::InvalidRequest,
        "MALFORMED",
        format!("{field} is missing or malformed."),
    )
    .with_field(field)
}
