//! Looking payment intents up, and changing those that are not confirmed yet.

use serde_json::{Value, json};

use super::create::{amount, chosen_method};
use super::{PaymentIntent, Status, known, unexpected};
use crate::books::Books;
use crate::call::Call;
use crate::pages;
use crate::refusal::Refusal;
use crate::resources::{customers, metadata};

/// `GET /v1/payment_intents/{id}`
pub fn retrieve(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let intent = known(books, call.id())?;
    call.check_client_secret(&intent.client_secret)?;
    Ok(json!(intent))
}

/// `POST /v1/payment_intents/{id}`
pub fn update(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    const CHANGEABLE: [Status; 3] = [
        Status::RequiresPaymentMethod,
        Status::RequiresConfirmation,
        Status::RequiresAction,
    ];
    let mut intent = known(books, call.id())?;
    let form = &call.form;
    if (form.has("amount") || form.has("payment_method") || form.has("customer"))
        && !CHANGEABLE.contains(&intent.status)
    {
        return Err(unexpected(&intent, "update", &CHANGEABLE));
    }
    if let Some(new) = form.integer("amount")? {
        intent.amount = amount(new)?;
    }
    if let Some(customer) = form.text("customer") {
        intent.customer = Some(customers::named(books, customer)?.id.clone());
    }
    if let Some(method) = chosen_method(books, &call.cause, form)? {
        intent.payment_method = Some(method.id);
        intent.status = Status::RequiresConfirmation;
    }
    for (path, field) in [
        ("description", &mut intent.description),
        ("receipt_email", &mut intent.receipt_email),
        ("setup_future_usage", &mut intent.setup_future_usage),
    ] {
        if form.has(path) {
            *field = form.owned(path);
        }
    }
    metadata::merge(&mut intent.metadata, form);
    books.put(intent.clone());
    Ok(json!(intent))
}

/// `GET /v1/payment_intents`
pub fn list(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let customer = call.form.text("customer");
    if let Some(id) = customer {
        customers::ever_known(books, id)?;
    }
    let created = pages::created_within(call)?;
    let wanted = |intent: &&PaymentIntent| {
        created(intent.created)
            && customer.is_none_or(|customer| intent.customer.as_deref() == Some(customer))
    };
    pages::page(call, books.payment_intents.iter().filter(wanted), |it| &it.id)
}

/// `GET /v1/payment_intents/search?query=metadata['…']:'…'`
pub fn search(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let query = call.form.required("query")?;
    let mut found = Vec::new();
    for intent in books.payment_intents.iter().rev() {
        let matched = metadata::matches(&intent.metadata, query).ok_or_else(|| {
            Refusal::parameter(
                "parameter_unknown",
                "query",
                "The sandbox searches by metadata only.",
            )
        })?;
        if matched {
            found.push(json!(intent));
        }
    }
    Ok(metadata::search_result(&call.path, &found))
}
