//! Confirmation: from a chosen payment method to a charge, by way of the consumer's authentication where needed.

use serde_json::{Value, json};

use super::create::chosen_method;
use super::{PaymentIntent, Status, Way, charge, fail, known, unexpected};
use crate::authentication::{self, Pass};
use crate::books::Books;
use crate::call::Call;
use crate::nature::Decline;
use crate::refusal::Refusal;
use crate::resources::events;
use crate::resources::payment_methods::{self, PaymentMethod};

const CONFIRMABLE: [Status; 3] = [
    Status::RequiresPaymentMethod,
    Status::RequiresConfirmation,
    Status::RequiresAction,
];

/// `POST /v1/payment_intents/{id}/confirm`
pub fn confirm(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let mut intent = known(books, call.id())?;
    call.check_client_secret(&intent.client_secret)?;
    if !CONFIRMABLE.contains(&intent.status) {
        return Err(unexpected(&intent, "confirm", &CONFIRMABLE));
    }
    if let Some(method) = chosen_method(books, &call.cause, &call.form)? {
        intent.payment_method = Some(method.id);
    }
    if let Some(usage) = call.form.owned("setup_future_usage") {
        intent.setup_future_usage = Some(usage);
    }
    run(books, call, intent).map(|intent| json!(intent))
}

/// Tries to take the money with the intent's payment method.
pub(super) fn run(
    books: &mut Books,
    call: &Call,
    mut intent: PaymentIntent,
) -> Result<PaymentIntent, Refusal> {
    let method = ready(books, &intent)?;
    intent.next_action = None;

    let needs_authentication = payment_methods::nature(books, &method.id).authenticates_charge()
        && !Pass::holds(books, &intent.id, &method.id);
    if !needs_authentication {
        return charge(books, &call.cause, intent, &method);
    }
    let off_session = call
        .form
        .text("off_session")
        .is_some_and(|value| value != "false");
    if off_session || call.form.flag("error_on_requires_action") {
        return Err(fail(
            books,
            &call.cause,
            intent,
            &method,
            &Decline::named("authentication_required"),
        ));
    }
    intent.status = Status::RequiresAction;
    intent.next_action = Some(authentication::next_action(
        &intent.client_secret,
        call.form.text("return_url"),
        &call.cause,
    ));
    books.put(intent.clone());
    events::emit(books, &call.cause, "payment_intent.requires_action", &intent);
    Ok(intent)
}

/// The payment method that the intent is to be confirmed with.
///
/// # Errors
/// When there is none, or it cannot be used for this intent.
pub(super) fn ready(books: &Books, intent: &PaymentIntent) -> Result<PaymentMethod, Refusal> {
    let method = intent
        .payment_method
        .as_deref()
        .and_then(|id| books.payment_methods.get(id));
    let method = method.cloned().ok_or_else(|| {
        let message = "You cannot confirm this PaymentIntent because it's missing a payment method. You can either \
                       update the PaymentIntent with a payment method and then confirm it again, or confirm it again \
                       directly with a payment method.";
        Refusal::unexpected_state("payment_intent_unexpected_state", message.to_owned())
            .with("payment_intent", json!(intent))
    })?;
    payment_methods::check_usable(books, &method, intent.customer.as_deref())?;
    if !intent.payment_method_types.contains(&method.kind) {
        return Err(Refusal::invalid(format!(
            "The PaymentMethod provided ({}) is not allowed for this PaymentIntent. Please attach a PaymentMethod of \
             one of the following types: {}.",
            method.kind,
            intent.payment_method_types.join(", ")
        ))
        .with("code", "payment_intent_incompatible_payment_method"));
    }
    if method.us_bank_account.is_some() && intent.capture_method == Way::Manual {
        return Err(Refusal::invalid(
            "The payment method type us_bank_account does not support manual capture.",
        )
        .with("code", "payment_intent_invalid_parameter")
        .with("param", "capture_method"));
    }
    Ok(method)
}
