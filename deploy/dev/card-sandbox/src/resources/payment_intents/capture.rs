//! Captures an authorized amount, or a part of it. The difference is released.

use serde_json::Value;

use super::{load, unexpected_status};
use crate::api_error::ApiError;
use crate::objects::PaymentStatus;
use crate::request::ApiRequest;
use crate::resources::events;
use crate::state::State;

/// `POST /v1/payment_intents/{id}/capture`
pub fn capture(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let mut intent = load(state, request.id())?;
    if intent.status != PaymentStatus::RequiresCapture {
        return Err(unexpected_status(
            &intent,
            "capture",
            &[PaymentStatus::RequiresCapture],
        ));
    }
    let amount = request
        .form
        .integer("amount_to_capture")?
        .unwrap_or(intent.amount_capturable);
    if !(1..=intent.amount_capturable).contains(&amount) {
        let message = format!(
            "The amount_to_capture must be between 1 and the capturable amount ({}).",
            intent.amount_capturable
        );
        return Err(ApiError::parameter(
            "amount_too_large",
            "amount_to_capture",
            message,
        ));
    }
    intent.status = PaymentStatus::Succeeded;
    intent.amount_received = amount;
    intent.amount_capturable = 0;
    state.put(intent.clone());
    if let Some(mut charge) = intent
        .latest_charge
        .as_deref()
        .and_then(|id| state.charges.get(id))
        .cloned()
    {
        charge.captured = true;
        charge.amount_captured = amount;
        charge.amount_refunded = charge.amount - amount;
        state.put(charge.clone());
        events::emit(state, &request.context, "charge.captured", &charge);
    }
    Ok(events::emit(
        state,
        &request.context,
        "payment_intent.succeeded",
        &intent,
    ))
}
