//! Lookups that several resources share.

use crate::api_error::ApiError;
use crate::card_behavior::CardBehavior;
use crate::objects::Customer;
use crate::state::State;

/// Returns the customer that the parameter `customer` identifies.
///
/// # Errors
/// If the customer does not exist or was deleted.
pub fn customer<'a>(state: &'a State, id: &str) -> Result<&'a Customer, ApiError> {
    let customer = state.customers.get(id).filter(|customer| !customer.deleted);
    customer.ok_or_else(|| ApiError::missing_reference("customer", id, "customer"))
}

/// Returns the behavior of a payment method.
pub fn behavior(state: &State, payment_method: &str) -> CardBehavior {
    state.behaviors.get(payment_method).cloned().unwrap_or_default()
}
