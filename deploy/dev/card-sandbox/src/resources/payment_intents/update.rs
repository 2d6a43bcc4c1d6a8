//! Changes payment intents.

use serde_json::{Value, json};

use super::parameters::{payment_method, valid_amount};
use super::{load, unexpected_status};
use crate::api_error::ApiError;
use crate::objects::PaymentStatus;
use crate::request::ApiRequest;
use crate::resources::lookup;
use crate::state::State;

/// The statuses in which the amount, the customer and the payment method can change.
const CHANGEABLE: [PaymentStatus; 3] = [
    PaymentStatus::RequiresPaymentMethod,
    PaymentStatus::RequiresConfirmation,
    PaymentStatus::RequiresAction,
];

/// `POST /v1/payment_intents/{id}`
pub fn update(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let mut intent = load(state, request.id())?;
    let form = &request.form;
    if (form.has("amount") || form.has("payment_method") || form.has("customer"))
        && !CHANGEABLE.contains(&intent.status)
    {
        return Err(unexpected_status(&intent, "update", &CHANGEABLE));
    }
    if let Some(amount) = form.integer("amount")? {
        intent.amount = valid_amount(amount)?;
    }
    if let Some(customer) = form.text("customer") {
        intent.customer = Some(lookup::customer(state, customer)?.id.clone());
    }
    if let Some(method) = payment_method(state, &request.context, form)? {
        intent.payment_method = Some(method.id);
        intent.status = PaymentStatus::RequiresConfirmation;
    }
    for (path, field) in [
        ("description", &mut intent.description),
        ("receipt_email", &mut intent.receipt_email),
        ("setup_future_usage", &mut intent.setup_future_usage),
    ] {
        if form.has(path) {
            *field = form.owned(path);
        }
    }
    intent.metadata.merge(form);
    state.put(intent.clone());
    Ok(json!(intent))
}
