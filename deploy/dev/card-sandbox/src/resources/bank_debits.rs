//! The banks' decisions: debits settle or are returned, and refunds to bank accounts complete.

use serde_json::json;

use super::{disputes, events, lookup, refunds, schedule};
use crate::api_error::ApiError;
use crate::card_behavior::{Decline, Settlement};
use crate::objects::{ChargeStatus, PaymentIntent, PaymentStatus};
use crate::request::RequestContext;
use crate::state::State;

/// Makes the scheduled decision on a payment intent or refund.
pub fn decide(state: &mut State, context: &RequestContext, object: &str) {
    schedule::mark_decided(state, object);
    if !object.starts_with("pi_") {
        return refunds::complete(state, context, object);
    }
    let method = state
        .payment_intents
        .get(object)
        .and_then(|intent| intent.payment_method.clone());
    let result = match lookup::behavior(state, &method.unwrap_or_default()).settlement {
        Settlement::Settles => settle(state, context, object).map(drop),
        Settlement::Returns(code) => return_debit(state, context, object, &code).map(drop),
        Settlement::SettlesThenDisputed => settle(state, context, object)
            .and_then(|_| return_debit(state, context, object, "debit_not_authorized"))
            .map(drop),
        Settlement::Never => Ok(()),
    };
    if let Err(error) = result {
        tracing::warn!(object, error = %error.body(), "scheduled decision failed");
    }
}

/// Settles a debit: the payment succeeds.
///
/// # Errors
/// If the payment is not in processing.
pub fn settle(state: &mut State, context: &RequestContext, id: &str) -> Result<PaymentIntent, ApiError> {
    let mut intent = load_intent(state, id)?;
    if intent.status != PaymentStatus::Processing {
        return Err(not_in_processing(&intent));
    }
    schedule::mark_decided(state, id);
    intent.status = PaymentStatus::Succeeded;
    intent.amount_received = intent.amount;
    state.put(intent.clone());
    if let Some(mut charge) = intent
        .latest_charge
        .as_deref()
        .and_then(|id| state.charges.get(id))
        .cloned()
    {
        charge.status = ChargeStatus::Succeeded;
        charge.paid = true;
        state.put(charge.clone());
        events::emit(state, context, "charge.succeeded", &charge);
    }
    events::emit(state, context, "payment_intent.succeeded", &intent);
    Ok(intent)
}

/// Returns a debit. If it is in processing, the payment fails; if it has settled, the bank disputes it and wins.
///
/// # Errors
/// If the payment is not a debit that is in processing or has settled.
pub fn return_debit(
    state: &mut State,
    context: &RequestContext,
    id: &str,
    code: &str,
) -> Result<PaymentIntent, ApiError> {
    let mut intent = load_intent(state, id)?;
    let charge = intent.latest_charge.clone().unwrap_or_default();
    if intent.status == PaymentStatus::Succeeded && charge.starts_with("py_") {
        return disputes::open_dispute(state, context, &charge, code)
            .map(|_| intent.clone())
            .ok_or_else(|| not_in_processing(&intent));
    }
    if intent.status != PaymentStatus::Processing {
        return Err(not_in_processing(&intent));
    }
    schedule::mark_decided(state, id);
    let decline = Decline::of_bank(code);
    let method = intent
        .payment_method
        .take()
        .and_then(|id| state.payment_methods.get(&id))
        .cloned();
    let error = decline
        .to_error()
        .with("charge", charge.as_str())
        .with("payment_method", json!(method));
    intent.status = PaymentStatus::RequiresPaymentMethod;
    intent.last_payment_error = Some(error.object());
    state.put(intent.clone());
    if let Some(mut charge) = state.charges.get(&charge).cloned() {
        charge.status = ChargeStatus::Failed;
        charge.captured = false;
        charge.amount_captured = 0;
        charge.failure_code = Some(decline.code);
        charge.failure_message = Some(decline.message);
        state.put(charge.clone());
        events::emit(state, context, "charge.failed", &charge);
    }
    events::emit(state, context, "payment_intent.payment_failed", &intent);
    Ok(intent)
}

fn load_intent(state: &State, id: &str) -> Result<PaymentIntent, ApiError> {
    state
        .payment_intents
        .get(id)
        .cloned()
        .ok_or_else(|| ApiError::missing("payment_intent", id, "intent"))
}

fn not_in_processing(intent: &PaymentIntent) -> ApiError {
    ApiError::invalid(format!(
        "{} is {}: only a debit in processing can be decided.",
        intent.id, intent.status
    ))
}
