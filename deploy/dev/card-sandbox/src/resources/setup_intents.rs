//! Setup intents: check a payment method, authenticate it if necessary, and attach it for later use.

use serde_json::{Value, json};

use super::{authentication, events, lookup, payment_methods};
use crate::api_error::ApiError;
use crate::card_behavior::CardBehavior;
use crate::objects::{Metadata, PaymentMethod, SetupIntent, SetupStatus};
use crate::pagination;
use crate::request::{ApiRequest, RequestContext};
use crate::state::State;

fn load(state: &State, id: &str) -> Result<SetupIntent, ApiError> {
    state
        .setup_intents
        .get(id)
        .cloned()
        .ok_or_else(|| ApiError::missing("setupintent", id, "intent"))
}

fn unexpected_status(intent: &SetupIntent, verb: &str) -> ApiError {
    let status = json!(intent.status);
    let status = status.as_str().unwrap_or_default();
    let message = format!("You cannot {verb} this SetupIntent because it has a status of {status}.");
    ApiError::unexpected_state("setup_intent_unexpected_state", message).with("setup_intent", json!(intent))
}

pub fn create(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let form = &request.form;
    let customer = form
        .text("customer")
        .map(|id| lookup::customer(state, id).map(|customer| customer.id.clone()))
        .transpose()?;
    let method = form
        .text("payment_method")
        .map(|id| payment_methods::resolve(state, &request.context, id))
        .transpose()?;
    let mut types = form.texts("payment_method_types");
    types.extend(form.texts("allowed_payment_method_types"));
    if types.is_empty() {
        types = vec!["card", "us_bank_account"];
    }
    let id = state.new_id("seti");
    let intent = SetupIntent {
        client_secret: state.new_id(&format!("{id}_secret")),
        id,
        object: "setup_intent".into(),
        cancellation_reason: None,
        created: request.context.now(),
        customer,
        description: form.owned("description"),
        last_setup_error: None,
        livemode: false,
        mandate: None,
        metadata: Metadata::from_form(form),
        next_action: None,
        status: if method.is_some() {
            SetupStatus::RequiresConfirmation
        } else {
            SetupStatus::RequiresPaymentMethod
        },
        payment_method: method.map(|method| method.id),
        payment_method_types: types.into_iter().map(ToOwned::to_owned).collect(),
        usage: form.text("usage").unwrap_or("off_session").to_owned(),
    };
    state.put(intent.clone());
    let created = events::emit(state, &request.context, "setup_intent.created", &intent);
    if form.flag("confirm") {
        attempt(state, request, intent)
    } else {
        Ok(created)
    }
}

pub fn retrieve(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let intent = load(state, request.id())?;
    request.check_client_secret(&intent.client_secret)?;
    Ok(json!(intent))
}

pub fn list(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let customer = request.form.text("customer");
    let intents = state
        .setup_intents
        .iter()
        .filter(|intent| customer.is_none_or(|customer| intent.customer.as_deref() == Some(customer)));
    pagination::page(request, intents, |intent| &intent.id)
}

pub fn confirm(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let mut intent = load(state, request.id())?;
    request.check_client_secret(&intent.client_secret)?;
    if matches!(intent.status, SetupStatus::Canceled | SetupStatus::Succeeded) {
        return Err(unexpected_status(&intent, "confirm"));
    }
    if let Some(id) = request.form.text("payment_method") {
        intent.payment_method = Some(payment_methods::resolve(state, &request.context, id)?.id);
    } else if let Some(data) = request.form.within("payment_method_data") {
        intent.payment_method = Some(payment_methods::create_from_form(state, &request.context, &data)?.id);
    }
    attempt(state, request, intent)
}

pub fn cancel(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let mut intent = load(state, request.id())?;
    if matches!(intent.status, SetupStatus::Canceled | SetupStatus::Succeeded) {
        return Err(unexpected_status(&intent, "cancel"));
    }
    intent.status = SetupStatus::Canceled;
    intent.cancellation_reason = request.form.owned("cancellation_reason");
    intent.next_action = None;
    state.put(intent.clone());
    Ok(events::emit(
        state,
        &request.context,
        "setup_intent.canceled",
        &intent,
    ))
}

/// Requests an authentication if the payment method requires one, otherwise finishes the setup.
fn attempt(state: &mut State, request: &ApiRequest, mut intent: SetupIntent) -> Result<Value, ApiError> {
    let Some(method) = intent
        .payment_method
        .as_deref()
        .and_then(|id| state.payment_methods.get(id))
        .cloned()
    else {
        let message = "You cannot confirm this SetupIntent because it's missing a payment method.".to_owned();
        return Err(ApiError::unexpected_state(
            "setup_intent_unexpected_state",
            message,
        ));
    };
    if !intent.payment_method_types.contains(&method.method_type) {
        let message = format!(
            "The PaymentMethod provided ({}) is not allowed for this SetupIntent.",
            method.method_type
        );
        return Err(ApiError::invalid(message).with("code", "setup_intent_invalid_parameter"));
    }
    if lookup::behavior(state, &method.id).setup_requires_authentication() {
        intent.status = SetupStatus::RequiresAction;
        intent.next_action = Some(authentication::next_action(
            &intent.client_secret,
            request.form.text("return_url"),
            &request.context,
        ));
        state.put(intent.clone());
        return Ok(events::emit(
            state,
            &request.context,
            "setup_intent.requires_action",
            &intent,
        ));
    }
    finish(state, &request.context, intent, &method)
}

/// Attaches the payment method and completes the setup.
///
/// # Errors
/// If the issuer declines. The intent then has the error as its `last_setup_error`.
pub fn finish(
    state: &mut State,
    context: &RequestContext,
    mut intent: SetupIntent,
    method: &PaymentMethod,
) -> Result<Value, ApiError> {
    if let Some(decline) = lookup::behavior(state, &method.id).on_attach {
        return Err(fail(state, context, intent, method, decline.to_error()));
    }
    match &intent.customer {
        Some(customer) => {
            payment_methods::attach_to(state, context, method.clone(), customer)?;
        }
        None => payment_methods::check_usable(state, method, None)?,
    }
    state.put(CardBehavior {
        set_up: true,
        ..lookup::behavior(state, &method.id)
    });
    intent.status = SetupStatus::Succeeded;
    if method.us_bank_account.is_some() {
        intent.mandate = Some(state.new_id("mandate"));
    }
    intent.last_setup_error = None;
    intent.next_action = None;
    state.put(intent.clone());
    Ok(events::emit(state, context, "setup_intent.succeeded", &intent))
}

/// Stores a failed attempt. Returns the error with the intent and the payment method added.
pub fn fail(
    state: &mut State,
    context: &RequestContext,
    mut intent: SetupIntent,
    method: &PaymentMethod,
    error: ApiError,
) -> ApiError {
    let error = error.with("payment_method", json!(method));
    intent.status = SetupStatus::RequiresPaymentMethod;
    intent.last_setup_error = Some(error.object());
    intent.next_action = None;
    intent.payment_method = None;
    state.put(intent.clone());
    events::emit(state, context, "setup_intent.setup_failed", &intent);
    error.with("setup_intent", json!(intent))
}
