//! Cancels payment intents and releases their authorizations.

use serde_json::Value;

use super::{load, unexpected_status};
use crate::api_error::ApiError;
use crate::objects::{Charge, Metadata, PaymentIntent, PaymentStatus, Refund, RefundStatus};
use crate::request::{ApiRequest, RequestContext};
use crate::resources::events;
use crate::state::State;

const CANCELABLE: [PaymentStatus; 4] = [
    PaymentStatus::RequiresPaymentMethod,
    PaymentStatus::RequiresCapture,
    PaymentStatus::RequiresConfirmation,
    PaymentStatus::RequiresAction,
];

/// `POST /v1/payment_intents/{id}/cancel`
pub fn cancel(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let reason = request.form.text("cancellation_reason");
    let intent = load(state, request.id())?;
    if !CANCELABLE.contains(&intent.status) {
        return Err(unexpected_status(&intent, "cancel", &CANCELABLE));
    }
    Ok(cancel_intent(state, &request.context, intent, reason))
}

/// Cancels an authorization that was not captured in time, as the provider does by itself.
///
/// # Errors
/// If the intent has no authorization.
pub fn expire(state: &mut State, context: &RequestContext, id: &str) -> Result<Value, ApiError> {
    let intent = load(state, id)?;
    if intent.status != PaymentStatus::RequiresCapture {
        return Err(unexpected_status(
            &intent,
            "expire",
            &[PaymentStatus::RequiresCapture],
        ));
    }
    Ok(cancel_intent(state, context, intent, Some("automatic")))
}

fn cancel_intent(
    state: &mut State,
    context: &RequestContext,
    mut intent: PaymentIntent,
    reason: Option<&str>,
) -> Value {
    let is_authorized = intent.status == PaymentStatus::RequiresCapture;
    intent.status = PaymentStatus::Canceled;
    intent.amount_capturable = 0;
    intent.canceled_at = Some(context.now());
    intent.cancellation_reason = reason.map(ToOwned::to_owned);
    intent.next_action = None;
    state.put(intent.clone());
    let charge = intent
        .latest_charge
        .as_deref()
        .and_then(|id| state.charges.get(id))
        .cloned();
    if let Some(mut charge) = charge.filter(|_| is_authorized) {
        charge.refunded = true;
        charge.amount_refunded = charge.amount;
        state.put(charge.clone());
        let refund = released_authorization(state, context, &charge);
        state.put(refund);
        let event_type = if reason == Some("automatic") {
            "charge.expired"
        } else {
            "charge.refunded"
        };
        events::emit(state, context, event_type, &charge);
    }
    events::emit(state, context, "payment_intent.canceled", &intent)
}

/// The provider lists a released authorization as a refund of the charge, although no money was taken.
fn released_authorization(state: &mut State, context: &RequestContext, charge: &Charge) -> Refund {
    Refund {
        id: state.new_id("re"),
        object: "refund".into(),
        amount: charge.amount,
        charge: charge.id.clone(),
        created: context.now(),
        currency: charge.currency.clone(),
        failure_reason: None,
        metadata: Metadata::default(),
        payment_intent: charge.payment_intent.clone(),
        reason: None,
        status: RefundStatus::Succeeded,
    }
}
