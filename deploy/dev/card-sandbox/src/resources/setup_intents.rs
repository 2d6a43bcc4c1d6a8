//! Setup intents: a payment method is checked, authenticated where needed, and attached for later use.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::metadata::{self, Metadata};
use super::payment_methods::{self, PaymentMethod};
use super::{customers, events};
use crate::authentication;
use crate::books::Books;
use crate::call::{Call, Cause};
use crate::nature::Nature;
use crate::pages;
use crate::refusal::Refusal;

/// Where a setup stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    RequiresPaymentMethod,
    RequiresConfirmation,
    RequiresAction,
    Canceled,
    Succeeded,
}

/// A setup intent, as the API shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SetupIntent {
    pub id: String,
    pub object: String,
    pub cancellation_reason: Option<String>,
    pub client_secret: String,
    pub created: i64,
    pub customer: Option<String>,
    pub description: Option<String>,
    pub last_setup_error: Option<Value>,
    pub livemode: bool,
    pub metadata: Metadata,
    pub next_action: Option<Value>,
    pub payment_method: Option<String>,
    pub payment_method_types: Vec<String>,
    pub status: Status,
    pub usage: String,
}

fn known(books: &Books, id: &str) -> Result<SetupIntent, Refusal> {
    books
        .setup_intents
        .get(id)
        .cloned()
        .ok_or_else(|| Refusal::missing("setupintent", id, "intent"))
}

fn unexpected(intent: &SetupIntent, verb: &str) -> Refusal {
    let status = json!(intent.status);
    let status = status.as_str().unwrap_or_default();
    let message = format!("You cannot {verb} this SetupIntent because it has a status of {status}.");
    Refusal::unexpected_state("setup_intent_unexpected_state", message).with("setup_intent", json!(intent))
}

pub fn create(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let form = &call.form;
    let customer = form
        .text("customer")
        .map(|id| customers::named(books, id).map(|it| it.id.clone()))
        .transpose()?;
    let method = form
        .text("payment_method")
        .map(|id| payment_methods::resolve(books, &call.cause, id))
        .transpose()?;
    let types = form.texts("payment_method_types");
    let types = if types.is_empty() {
        vec!["card", "us_bank_account"]
    } else {
        types
    };
    let id = books.mint("seti");
    let intent = SetupIntent {
        client_secret: books.mint(&format!("{id}_secret")),
        id,
        object: "setup_intent".into(),
        cancellation_reason: None,
        created: call.cause.now(),
        customer,
        description: form.owned("description"),
        last_setup_error: None,
        livemode: false,
        metadata: metadata::from(form),
        next_action: None,
        status: if method.is_some() {
            Status::RequiresConfirmation
        } else {
            Status::RequiresPaymentMethod
        },
        payment_method: method.map(|method| method.id),
        payment_method_types: types.into_iter().map(ToOwned::to_owned).collect(),
        usage: form.text("usage").unwrap_or("off_session").to_owned(),
    };
    books.put(intent.clone());
    let shown = events::emit(books, &call.cause, "setup_intent.created", &intent);
    if form.flag("confirm") {
        run(books, call, intent)
    } else {
        Ok(shown)
    }
}

pub fn retrieve(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let intent = known(books, call.id())?;
    call.check_client_secret(&intent.client_secret)?;
    Ok(json!(intent))
}

pub fn list(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let customer = call.form.text("customer");
    let wanted =
        |intent: &&SetupIntent| customer.is_none_or(|customer| intent.customer.as_deref() == Some(customer));
    pages::page(call, books.setup_intents.iter().filter(wanted), |it| &it.id)
}

pub fn confirm(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let mut intent = known(books, call.id())?;
    call.check_client_secret(&intent.client_secret)?;
    if matches!(intent.status, Status::Canceled | Status::Succeeded) {
        return Err(unexpected(&intent, "confirm"));
    }
    if let Some(id) = call.form.text("payment_method") {
        intent.payment_method = Some(payment_methods::resolve(books, &call.cause, id)?.id);
    } else if let Some(data) = call.form.within("payment_method_data") {
        intent.payment_method = Some(payment_methods::from_form(books, &call.cause, &data)?.id);
    }
    run(books, call, intent)
}

pub fn cancel(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let mut intent = known(books, call.id())?;
    if matches!(intent.status, Status::Canceled | Status::Succeeded) {
        return Err(unexpected(&intent, "cancel"));
    }
    intent.status = Status::Canceled;
    intent.cancellation_reason = call.form.owned("cancellation_reason");
    intent.next_action = None;
    books.put(intent.clone());
    Ok(events::emit(books, &call.cause, "setup_intent.canceled", &intent))
}

fn run(books: &mut Books, call: &Call, mut intent: SetupIntent) -> Result<Value, Refusal> {
    let Some(method) = intent
        .payment_method
        .as_deref()
        .and_then(|id| books.payment_methods.get(id))
        .cloned()
    else {
        let message = "You cannot confirm this SetupIntent because it's missing a payment method.".to_owned();
        return Err(Refusal::unexpected_state(
            "setup_intent_unexpected_state",
            message,
        ));
    };
    if !intent.payment_method_types.contains(&method.kind) {
        let message = format!(
            "The PaymentMethod provided ({}) is not allowed for this SetupIntent.",
            method.kind
        );
        return Err(Refusal::invalid(message).with("code", "setup_intent_invalid_parameter"));
    }
    if payment_methods::nature(books, &method.id).authenticates_setup() {
        intent.status = Status::RequiresAction;
        intent.next_action = Some(authentication::next_action(
            &intent.client_secret,
            call.form.text("return_url"),
            &call.cause,
        ));
        books.put(intent.clone());
        return Ok(events::emit(
            books,
            &call.cause,
            "setup_intent.requires_action",
            &intent,
        ));
    }
    finish(books, &call.cause, intent, method)
}

/// Attaches the payment method and ends the setup, unless the issuer refuses.
///
/// # Errors
/// The issuer's refusal, which the intent then carries as its last error.
pub fn finish(
    books: &mut Books,
    cause: &Cause,
    mut intent: SetupIntent,
    method: PaymentMethod,
) -> Result<Value, Refusal> {
    if let Some(decline) = payment_methods::nature(books, &method.id).on_attach {
        return Err(fail(books, cause, intent, &method, decline.refusal()));
    }
    match &intent.customer {
        Some(customer) => drop(payment_methods::attach_to(
            books,
            cause,
            method.clone(),
            customer,
        )?),
        None => payment_methods::check_usable(books, &method, None)?,
    }
    books.put(Nature {
        set_up: true,
        ..payment_methods::nature(books, &method.id)
    });
    intent.status = Status::Succeeded;
    intent.last_setup_error = None;
    intent.next_action = None;
    books.put(intent.clone());
    Ok(events::emit(books, cause, "setup_intent.succeeded", &intent))
}

/// Notes a failed attempt on the intent; gives the answer for the caller.
pub fn fail(
    books: &mut Books,
    cause: &Cause,
    mut intent: SetupIntent,
    method: &PaymentMethod,
    refusal: Refusal,
) -> Refusal {
    let refusal = refusal.with("payment_method", json!(method));
    intent.status = Status::RequiresPaymentMethod;
    intent.last_setup_error = Some(refusal.error());
    intent.next_action = None;
    intent.payment_method = None;
    books.put(intent.clone());
    events::emit(books, cause, "setup_intent.setup_failed", &intent);
    refusal.with("setup_intent", json!(intent))
}
