//! Applies the result of an authentication to its intent.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{events, payment_intents, setup_intents};
use crate::api_error::ApiError;
use crate::objects::{
    PassedAuthentication, PaymentIntent, PaymentMethod, PaymentStatus, SetupIntent, SetupStatus, StepMode,
};
use crate::request::RequestContext;
use crate::state::State;

/// The request of the bank's page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    client_secret: String,
    outcome: Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Complete,
    Fail,
}

/// Returns the intent after the decision.
///
/// # Errors
/// If no intent with this client secret waits for an authentication.
pub fn decide(state: &mut State, context: &RequestContext, decision: &Decision) -> Result<Value, ApiError> {
    let id = decision
        .client_secret
        .split("_secret_")
        .next()
        .unwrap_or_default();
    if let Some(intent) = state.payment_intents.get(id).cloned()
        && intent.client_secret == decision.client_secret
        && intent.status == PaymentStatus::RequiresAction
    {
        return decide_payment(state, context, intent, decision.outcome);
    }
    if let Some(intent) = state.setup_intents.get(id).cloned()
        && intent.client_secret == decision.client_secret
        && intent.status == SetupStatus::RequiresAction
    {
        return decide_setup(state, context, intent, decision.outcome);
    }
    Err(ApiError::invalid("No intent waits for this authentication."))
}

fn decide_payment(
    state: &mut State,
    context: &RequestContext,
    mut intent: PaymentIntent,
    outcome: Outcome,
) -> Result<Value, ApiError> {
    let id = intent.id.clone();
    let method = payment_method(state, intent.payment_method.as_deref())?;
    match outcome {
        Outcome::Complete => {
            state.put(PassedAuthentication {
                intent: id.clone(),
                payment_method: method.id.clone(),
            });
            if intent.confirmation_method == StepMode::Manual {
                intent.status = PaymentStatus::RequiresConfirmation;
                intent.next_action = None;
                state.put(intent);
            } else if let Err(error) = payment_intents::charge(state, context, intent, &method) {
                tracing::debug!(status = error.status.as_u16(), "declined after authentication");
            }
        }
        Outcome::Fail => {
            let error = authentication_failure("payment_intent_authentication_failure")
                .with("payment_method", json!(method));
            intent.status = PaymentStatus::RequiresPaymentMethod;
            intent.last_payment_error = Some(error.object());
            intent.next_action = None;
            intent.payment_method = None;
            state.put(intent.clone());
            events::emit(state, context, "payment_intent.payment_failed", &intent);
        }
    }
    Ok(json!(state.payment_intents.get(&id)))
}

fn decide_setup(
    state: &mut State,
    context: &RequestContext,
    intent: SetupIntent,
    outcome: Outcome,
) -> Result<Value, ApiError> {
    let id = intent.id.clone();
    let method = payment_method(state, intent.payment_method.as_deref())?;
    let result = match outcome {
        Outcome::Complete => setup_intents::finish(state, context, intent, &method).map(drop),
        Outcome::Fail => {
            let error = authentication_failure("setup_intent_authentication_failure");
            Err(setup_intents::fail(state, context, intent, &method, error))
        }
    };
    if let Err(error) = result {
        tracing::debug!(status = error.status.as_u16(), "setup failed");
    }
    Ok(json!(state.setup_intents.get(&id)))
}

fn payment_method(state: &State, id: Option<&str>) -> Result<PaymentMethod, ApiError> {
    let method = id.and_then(|id| state.payment_methods.get(id)).cloned();
    method.ok_or_else(|| ApiError::invalid("The intent has no payment method."))
}

fn authentication_failure(code: &str) -> ApiError {
    ApiError::invalid(
        "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
    )
    .with("code", code)
}
