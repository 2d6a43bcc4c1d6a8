//! Creates payment intents, and confirms them if requested.

use serde_json::{Value, json};

use super::{confirm, parameters};
use crate::api_error::ApiError;
use crate::objects::{Metadata, PaymentIntent, PaymentStatus};
use crate::request::ApiRequest;
use crate::resources::{events, lookup, payment_methods};
use crate::state::State;

pub fn create(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let form = &request.form;
    form.required("amount")?;
    let amount = parameters::valid_amount(form.integer("amount")?.unwrap_or_default())?;
    let currency = form.required("currency")?.to_lowercase();
    let customer = form
        .text("customer")
        .map(|id| lookup::customer(state, id).map(|customer| customer.id.clone()))
        .transpose()?;
    let capture_method = parameters::step_mode(form, "capture_method")?;
    let confirmation_method = parameters::step_mode(form, "confirmation_method")?;
    let method = parameters::payment_method(state, &request.context, form)?;
    if let Some(method) = &method {
        payment_methods::check_usable(state, method, customer.as_deref())?;
    }

    let id = state.new_id("pi");
    let intent = PaymentIntent {
        client_secret: state.new_id(&format!("{id}_secret")),
        id,
        object: "payment_intent".into(),
        amount,
        amount_capturable: 0,
        amount_received: 0,
        automatic_payment_methods: parameters::automatic_payment_methods(form),
        canceled_at: None,
        cancellation_reason: None,
        capture_method,
        confirmation_method,
        created: request.context.now(),
        currency,
        customer,
        description: form.owned("description"),
        last_payment_error: None,
        latest_charge: None,
        livemode: false,
        metadata: Metadata::from_form(form),
        next_action: None,
        status: if method.is_some() {
            PaymentStatus::RequiresConfirmation
        } else {
            PaymentStatus::RequiresPaymentMethod
        },
        payment_method: method.map(|method| method.id),
        payment_method_types: parameters::payment_method_types(form),
        receipt_email: form.owned("receipt_email"),
        setup_future_usage: form.owned("setup_future_usage"),
        statement_descriptor: form.owned("statement_descriptor"),
        statement_descriptor_suffix: form.owned("statement_descriptor_suffix"),
        transfer_group: form.owned("transfer_group"),
    };
    if form.flag("confirm") {
        confirm::usable_payment_method(state, &intent)?;
    }
    state.put(intent.clone());
    let created = events::emit(state, &request.context, "payment_intent.created", &intent);
    if !form.flag("confirm") {
        return Ok(created);
    }
    confirm::attempt(state, request, intent).map(|intent| json!(intent))
}
