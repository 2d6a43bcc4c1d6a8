//! Parameters that several operations on payment intents share.

use serde_json::{Value, json};

use crate::api_error::ApiError;
use crate::form::Form;
use crate::objects::{PaymentMethod, StepMode};
use crate::request::RequestContext;
use crate::resources::payment_methods;
use crate::state::State;

const MIN_AMOUNT_CENTS: i64 = 50;
const MAX_AMOUNT_CENTS: i64 = 99_999_999;

/// Returns the payment method of the parameter `payment_method`, or a new one from `payment_method_data`.
///
/// # Errors
/// If the payment method does not exist or its data is invalid.
pub fn payment_method(
    state: &mut State,
    context: &RequestContext,
    form: &Form,
) -> Result<Option<PaymentMethod>, ApiError> {
    if let Some(id) = form.text("payment_method") {
        return payment_methods::resolve(state, context, id).map(Some);
    }
    match form.within("payment_method_data") {
        Some(data) => payment_methods::create_from_form(state, context, &data).map(Some),
        None => Ok(None),
    }
}

/// Returns the amount if it is in the provider's range.
///
/// # Errors
/// `parameter_invalid_integer`, `amount_too_small` or `amount_too_large`.
pub fn valid_amount(amount: i64) -> Result<i64, ApiError> {
    match amount {
        ..1 => {
            let message = "This value must be greater than or equal to 1.";
            Err(ApiError::parameter(
                "parameter_invalid_integer",
                "amount",
                message,
            ))
        }
        1..MIN_AMOUNT_CENTS => {
            let message = "Amount must be at least $0.50 usd";
            Err(ApiError::parameter("amount_too_small", "amount", message))
        }
        MIN_AMOUNT_CENTS..=MAX_AMOUNT_CENTS => Ok(amount),
        _ => {
            let message = "Amount must be no more than $999,999.99";
            Err(ApiError::parameter("amount_too_large", "amount", message))
        }
    }
}

/// Returns the mode of `capture_method` or `confirmation_method`.
///
/// # Errors
/// If the value is not supported.
pub fn step_mode(form: &Form, path: &str) -> Result<StepMode, ApiError> {
    match form.text(path) {
        None | Some("automatic") => Ok(StepMode::Automatic),
        Some("automatic_async") => Ok(StepMode::AutomaticAsync),
        Some("manual") => Ok(StepMode::Manual),
        Some(other) => {
            let message =
                format!("Invalid {path}: must be one of automatic, automatic_async, or manual, not {other}");
            Err(ApiError::parameter(
                "payment_intent_invalid_parameter",
                path,
                message,
            ))
        }
    }
}

pub fn payment_method_types(form: &Form) -> Vec<String> {
    let mut types = form.texts("payment_method_types");
    if types.is_empty() {
        types = vec!["card", "us_bank_account"];
    }
    types.into_iter().map(ToOwned::to_owned).collect()
}

/// Returns the settings for automatic payment methods, which apply if the request names no types.
pub fn automatic_payment_methods(form: &Form) -> Option<Value> {
    let allow_redirects = form
        .text("automatic_payment_methods.allow_redirects")
        .unwrap_or("always");
    form.texts("payment_method_types")
        .is_empty()
        .then(|| json!({ "enabled": true, "allow_redirects": allow_redirects }))
}
