//! Confirms payment intents: authenticates the consumer if necessary, then charges the payment method.

use serde_json::{Value, json};

use super::charge::{charge, fail};
use super::parameters::payment_method;
use super::{load, unexpected_status};
use crate::api_error::ApiError;
use crate::card_behavior::Decline;
use crate::objects::{PaymentIntent, PaymentMethod, PaymentStatus, StepMode};
use crate::request::ApiRequest;
use crate::resources::{authentication, events, lookup, payment_methods};
use crate::state::State;

const CONFIRMABLE: [PaymentStatus; 3] = [
    PaymentStatus::RequiresPaymentMethod,
    PaymentStatus::RequiresConfirmation,
    PaymentStatus::RequiresAction,
];

/// `POST /v1/payment_intents/{id}/confirm`
pub fn confirm(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let mut intent = load(state, request.id())?;
    request.check_client_secret(&intent.client_secret)?;
    if !CONFIRMABLE.contains(&intent.status) {
        return Err(unexpected_status(&intent, "confirm", &CONFIRMABLE));
    }
    if let Some(method) = payment_method(state, &request.context, &request.form)? {
        intent.payment_method = Some(method.id);
    }
    if let Some(usage) = request.form.owned("setup_future_usage") {
        intent.setup_future_usage = Some(usage);
    }
    attempt(state, request, intent).map(|intent| json!(intent))
}

/// Charges the intent's payment method, or requests an authentication if it requires one.
pub(super) fn attempt(
    state: &mut State,
    request: &ApiRequest,
    mut intent: PaymentIntent,
) -> Result<PaymentIntent, ApiError> {
    let method = usable_payment_method(state, &intent)?;
    intent.next_action = None;

    let requires_authentication = lookup::behavior(state, &method.id).charge_requires_authentication()
        && !authentication::is_authenticated(state, &intent, &method.id);
    if !requires_authentication {
        return charge(state, &request.context, intent, &method);
    }
    let off_session = request
        .form
        .text("off_session")
        .is_some_and(|value| value != "false");
    if off_session || request.form.flag("error_on_requires_action") {
        return Err(fail(
            state,
            &request.context,
            intent,
            &method,
            &Decline::of_card("authentication_required"),
        ));
    }
    intent.status = PaymentStatus::RequiresAction;
    intent.next_action = Some(authentication::next_action(
        &intent.client_secret,
        request.form.text("return_url"),
        &request.context,
    ));
    state.put(intent.clone());
    events::emit(state, &request.context, "payment_intent.requires_action", &intent);
    Ok(intent)
}

/// Returns the intent's payment method.
///
/// # Errors
/// If it has none, or the payment method cannot be used for this intent.
pub(super) fn usable_payment_method(
    state: &State,
    intent: &PaymentIntent,
) -> Result<PaymentMethod, ApiError> {
    let method = intent
        .payment_method
        .as_deref()
        .and_then(|id| state.payment_methods.get(id));
    let method = method.cloned().ok_or_else(|| {
        let message = "You cannot confirm this PaymentIntent because it's missing a payment method. You can either \
                       update the PaymentIntent with a payment method and then confirm it again, or confirm it again \
                       directly with a payment method.";
        ApiError::unexpected_state("payment_intent_unexpected_state", message.to_owned())
            .with("payment_intent", json!(intent))
    })?;
    payment_methods::check_usable(state, &method, intent.customer.as_deref())?;
    if !intent.payment_method_types.contains(&method.method_type) {
        return Err(ApiError::invalid(format!(
            "The PaymentMethod provided ({}) is not allowed for this PaymentIntent. Please attach a PaymentMethod of \
             one of the following types: {}.",
            method.method_type,
            intent.payment_method_types.join(", ")
        ))
        .with("code", "payment_intent_incompatible_payment_method"));
    }
    if method.us_bank_account.is_some() && intent.capture_method == StepMode::Manual {
        return Err(ApiError::invalid(
            "The payment method type us_bank_account does not support manual capture.",
        )
        .with("code", "payment_intent_invalid_parameter")
        .with("param", "capture_method"));
    }
    Ok(method)
}
