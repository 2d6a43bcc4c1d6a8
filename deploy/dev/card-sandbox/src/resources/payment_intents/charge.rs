//! One attempt to charge a payment method, and its result.

use serde_json::json;

use crate::api_error::ApiError;
use crate::card_behavior::{CardBehavior, Decline};
use crate::objects::{PaymentIntent, PaymentMethod, PaymentStatus, StepMode};
use crate::request::RequestContext;
use crate::resources::charges::{self, Attempt};
use crate::resources::{disputes, events, instruments, lookup, payment_methods, schedule};
use crate::state::State;

/// Charges a payment method that is authenticated or requires no authentication.
///
/// # Errors
/// If the card or bank declines. The intent then has the error as its `last_payment_error`.
pub fn charge(
    state: &mut State,
    context: &RequestContext,
    intent: PaymentIntent,
    method: &PaymentMethod,
) -> Result<PaymentIntent, ApiError> {
    let behavior = lookup::behavior(state, &method.id);
    let is_expired = method
        .card
        .as_ref()
        .is_some_and(|card| instruments::is_expired(card, context.now()));
    let decline = if is_expired {
        Some(Decline::of_card("expired_card"))
    } else {
        behavior.on_charge.clone()
    };
    match decline {
        Some(decline) => Err(fail(state, context, intent, method, &decline)),
        None if method.us_bank_account.is_some() => debit(state, context, intent, method),
        None => approve(state, context, intent, method, &behavior),
    }
}

fn approve(
    state: &mut State,
    context: &RequestContext,
    mut intent: PaymentIntent,
    method: &PaymentMethod,
    behavior: &CardBehavior,
) -> Result<PaymentIntent, ApiError> {
    let is_captured = intent.capture_method != StepMode::Manual;
    let attempt = if is_captured {
        Attempt::Captured
    } else {
        Attempt::Authorized
    };
    let charge = charges::record_attempt(state, context, &intent, method, &attempt);
    intent.latest_charge = Some(charge.id.clone());
    intent.last_payment_error = None;
    intent.next_action = None;
    if is_captured {
        intent.status = PaymentStatus::Succeeded;
        intent.amount_received = intent.amount;
    } else {
        intent.status = PaymentStatus::RequiresCapture;
        intent.amount_capturable = intent.amount;
    }
    state.put(intent.clone());
    attach_for_future_use(state, context, &intent, method)?;
    let event_type = if is_captured {
        "payment_intent.succeeded"
    } else {
        "payment_intent.amount_capturable_updated"
    };
    events::emit(state, context, "charge.succeeded", &charge);
    events::emit(state, context, event_type, &intent);
    if behavior.disputed {
        disputes::open_dispute(state, context, &charge.id, "fraudulent");
    }
    Ok(intent)
}

fn debit(
    state: &mut State,
    context: &RequestContext,
    mut intent: PaymentIntent,
    method: &PaymentMethod,
) -> Result<PaymentIntent, ApiError> {
    let charge = charges::record_attempt(state, context, &intent, method, &Attempt::Pending);
    intent.latest_charge = Some(charge.id.clone());
    intent.last_payment_error = None;
    intent.next_action = None;
    intent.status = PaymentStatus::Processing;
    state.put(intent.clone());
    attach_for_future_use(state, context, &intent, method)?;
    schedule::schedule_decision(state, context, &intent.id);
    events::emit(state, context, "charge.pending", &charge);
    events::emit(state, context, "payment_intent.processing", &intent);
    Ok(intent)
}

/// Attaches the payment method to the customer if the intent has `setup_future_usage`. Without it, a payment method that is
/// not attached is used up.
fn attach_for_future_use(
    state: &mut State,
    context: &RequestContext,
    intent: &PaymentIntent,
    method: &PaymentMethod,
) -> Result<(), ApiError> {
    if method.customer.is_none() && intent.setup_future_usage.is_none() {
        state.put(CardBehavior {
            detached: true,
            ..lookup::behavior(state, &method.id)
        });
    }
    let (Some(_), Some(customer)) = (&intent.setup_future_usage, &intent.customer) else {
        return Ok(());
    };
    state.put(CardBehavior {
        set_up: true,
        ..lookup::behavior(state, &method.id)
    });
    payment_methods::attach_to(state, context, method.clone(), customer).map(drop)
}

/// Stores a failed attempt: a failed charge, and the intent with the error and without the payment method. Returns the
/// error response.
pub(super) fn fail(
    state: &mut State,
    context: &RequestContext,
    mut intent: PaymentIntent,
    method: &PaymentMethod,
    decline: &Decline,
) -> ApiError {
    let attempt = Attempt::Failed(decline.clone());
    let charge = charges::record_attempt(state, context, &intent, method, &attempt);
    let error = decline
        .to_error()
        .with("charge", charge.id.as_str())
        .with("payment_method", json!(method));
    intent.latest_charge = Some(charge.id.clone());
    intent.last_payment_error = Some(error.object());
    intent.next_action = None;
    intent.payment_method = None;
    intent.status = PaymentStatus::RequiresPaymentMethod;
    state.put(intent.clone());
    events::emit(state, context, "charge.failed", &charge);
    events::emit(state, context, "payment_intent.payment_failed", &intent);
    error.with("payment_intent", json!(intent))
}
