//! A new payment intent, which may be confirmed at once.

use serde_json::{Value, json};

use super::{PaymentIntent, Status, Way, confirm};
use crate::books::Books;
use crate::call::{Call, Cause};
use crate::form::Form;
use crate::refusal::Refusal;
use crate::resources::{customers, events, metadata, payment_methods};

const LARGEST_AMOUNT: i64 = 99_999_999;
/// The least that is charged in US dollars.
const SMALLEST_AMOUNT: i64 = 50;

pub fn create(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let form = &call.form;
    form.required("amount")?;
    let amount = amount(form.integer("amount")?.unwrap_or_default())?;
    let currency = form.required("currency")?.to_lowercase();
    let customer = form
        .text("customer")
        .map(|id| customers::named(books, id).map(|it| it.id.clone()))
        .transpose()?;
    let capture_method = way(form, "capture_method")?;
    let confirmation_method = way(form, "confirmation_method")?;
    let method = chosen_method(books, &call.cause, form)?;
    if let Some(method) = &method {
        payment_methods::check_usable(books, method, customer.as_deref())?;
    }

    let id = books.mint("pi");
    let intent = PaymentIntent {
        client_secret: books.mint(&format!("{id}_secret")),
        id,
        object: "payment_intent".into(),
        amount,
        amount_capturable: 0,
        amount_received: 0,
        automatic_payment_methods: automatic(form),
        canceled_at: None,
        cancellation_reason: None,
        capture_method,
        confirmation_method,
        created: call.cause.now(),
        currency,
        customer,
        description: form.owned("description"),
        last_payment_error: None,
        latest_charge: None,
        livemode: false,
        metadata: metadata::from(form),
        next_action: None,
        status: if method.is_some() {
            Status::RequiresConfirmation
        } else {
            Status::RequiresPaymentMethod
        },
        payment_method: method.map(|method| method.id),
        payment_method_types: types(form),
        receipt_email: form.owned("receipt_email"),
        setup_future_usage: form.owned("setup_future_usage"),
        statement_descriptor: form.owned("statement_descriptor"),
        statement_descriptor_suffix: form.owned("statement_descriptor_suffix"),
        transfer_group: form.owned("transfer_group"),
    };
    if form.flag("confirm") {
        confirm::ready(books, &intent)?;
    }
    books.put(intent.clone());
    let shown = events::emit(books, &call.cause, "payment_intent.created", &intent);
    if !form.flag("confirm") {
        return Ok(shown);
    }
    confirm::run(books, call, intent).map(|intent| json!(intent))
}

/// The payment method of `payment_method` or `payment_method_data`.
///
/// # Errors
/// When it names nothing, or its data cannot be right.
pub(super) fn chosen_method(
    books: &mut Books,
    cause: &Cause,
    form: &Form,
) -> Result<Option<payment_methods::PaymentMethod>, Refusal> {
    if let Some(id) = form.text("payment_method") {
        return payment_methods::resolve(books, cause, id).map(Some);
    }
    match form.within("payment_method_data") {
        Some(data) => payment_methods::from_form(books, cause, &data).map(Some),
        None => Ok(None),
    }
}

/// An amount within what the provider charges.
///
/// # Errors
/// `parameter_invalid_integer`, `amount_too_small`, `amount_too_large`.
pub(super) fn amount(amount: i64) -> Result<i64, Refusal> {
    match amount {
        ..1 => {
            let message = "This value must be greater than or equal to 1.";
            Err(Refusal::parameter("parameter_invalid_integer", "amount", message))
        }
        1..SMALLEST_AMOUNT => {
            let message = "Amount must be at least $0.50 usd";
            Err(Refusal::parameter("amount_too_small", "amount", message))
        }
        SMALLEST_AMOUNT..=LARGEST_AMOUNT => Ok(amount),
        _ => {
            let message = "Amount must be no more than $999,999.99";
            Err(Refusal::parameter("amount_too_large", "amount", message))
        }
    }
}

fn way(form: &Form, path: &str) -> Result<Way, Refusal> {
    match form.text(path) {
        None | Some("automatic") => Ok(Way::Automatic),
        Some("automatic_async") => Ok(Way::AutomaticAsync),
        Some("manual") => Ok(Way::Manual),
        Some(other) => {
            let message =
                format!("Invalid {path}: must be one of automatic, automatic_async, or manual, not {other}");
            Err(Refusal::parameter(
                "payment_intent_invalid_parameter",
                path,
                message,
            ))
        }
    }
}

fn types(form: &Form) -> Vec<String> {
    let given = form.texts("payment_method_types");
    let types = if given.is_empty() {
        vec!["card", "us_bank_account"]
    } else {
        given
    };
    types.into_iter().map(ToOwned::to_owned).collect()
}

fn automatic(form: &Form) -> Option<Value> {
    let allow_redirects = form
        .text("automatic_payment_methods.allow_redirects")
        .unwrap_or("always");
    form.texts("payment_method_types")
        .is_empty()
        .then(|| json!({ "enabled": true, "allow_redirects": allow_redirects }))
}
