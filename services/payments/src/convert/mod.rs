//! Conversion between the contract and domain types.

mod charge;
mod debt;
mod event;
mod payment_method;

use kit::{ErrorCode, ServiceError};

pub use charge::{
    authorize_charge, charge, charge_snapshot, charge_subject, list_charges, listed_charge, refund_charge,
};
pub use debt::{failed_payments, recover_failed_payments, recovered_payments};
pub use event::{charge_outbox_entry, method_outbox_entry};
pub use payment_method::{bank_session, payment_method, payment_methods, setup_intent};

/// Rejects a request with a field that is missing or malformed.
fn malformed(field: &'static str) -> ServiceError {
    ServiceError::new(
        ErrorCode::InvalidRequest,
        "MALFORMED",
        format!("{field} is missing or malformed."),
    )
    .with_field(field)
}
