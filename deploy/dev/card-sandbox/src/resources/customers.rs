//! Customers.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::instruments::Address;
use super::metadata::{self, Metadata};
use super::{events, payment_methods};
use crate::books::Books;
use crate::call::Call;
use crate::form::Form;
use crate::pages;
use crate::refusal::Refusal;

/// A customer, as the API shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Customer {
    pub id: String,
    pub object: String,
    pub address: Option<Address>,
    pub balance: i64,
    pub created: i64,
    pub default_source: Option<String>,
    pub delinquent: bool,
    pub description: Option<String>,
    pub email: Option<String>,
    pub invoice_settings: InvoiceSettings,
    pub livemode: bool,
    pub metadata: Metadata,
    pub name: Option<String>,
    pub phone: Option<String>,
    pub preferred_locales: Vec<String>,
    pub tax_exempt: String,
    /// True once it was deleted; only the id is shown then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct InvoiceSettings {
    pub default_payment_method: Option<String>,
}

impl Customer {
    fn apply(&mut self, form: &Form) {
        let texts = [
            ("description", &mut self.description),
            ("email", &mut self.email),
            ("name", &mut self.name),
            ("phone", &mut self.phone),
            (
                "invoice_settings.default_payment_method",
                &mut self.invoice_settings.default_payment_method,
            ),
        ];
        for (path, field) in texts {
            if form.has(path) {
                *field = form.owned(path);
            }
        }
        if let Some(address) = form.within("address") {
            self.address = Some(Address::from(&address));
        }
        metadata::merge(&mut self.metadata, form);
    }
}

/// The customer that a parameter names.
///
/// # Errors
/// When there is none of that id, or it was deleted.
pub fn named<'a>(books: &'a Books, id: &str) -> Result<&'a Customer, Refusal> {
    let customer = books.customers.get(id).filter(|customer| !customer.deleted);
    customer.ok_or_else(|| Refusal::names_missing("customer", id, "customer"))
}

/// Whether there ever was a customer: what one that was deleted has paid can still be listed.
///
/// # Errors
/// When there never was one of that id.
pub fn ever_known(books: &Books, id: &str) -> Result<(), Refusal> {
    match books.customers.get(id) {
        Some(_) => Ok(()),
        None => Err(Refusal::names_missing("customer", id, "customer")),
    }
}

fn live(books: &Books, id: &str) -> Result<Customer, Refusal> {
    let customer = books
        .customers
        .get(id)
        .filter(|customer| !customer.deleted)
        .cloned();
    customer.ok_or_else(|| Refusal::missing("customer", id, "id"))
}

pub fn create(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let mut customer = Customer {
        id: books.mint("cus"),
        object: "customer".into(),
        address: None,
        balance: 0,
        created: call.cause.now(),
        default_source: None,
        delinquent: false,
        description: None,
        email: None,
        invoice_settings: InvoiceSettings::default(),
        livemode: false,
        metadata: Metadata::new(),
        name: None,
        phone: None,
        preferred_locales: Vec::new(),
        tax_exempt: "none".into(),
        deleted: false,
    };
    customer.apply(&call.form);
    books.put(customer.clone());
    let id = customer.id.clone();
    if let Some(given) = call.form.text("payment_method") {
        let method = payment_methods::resolve(books, &call.cause, given)?;
        payment_methods::attach_to(books, &call.cause, method, &id)?;
    }
    Ok(events::emit(books, &call.cause, "customer.created", &customer))
}

pub fn retrieve(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let customer = books
        .customers
        .get(call.id())
        .ok_or_else(|| Refusal::missing("customer", call.id(), "id"))?;
    if customer.deleted {
        return Ok(gone(&customer.id));
    }
    Ok(json!(customer))
}

pub fn update(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let mut customer = live(books, call.id())?;
    if let Some(id) = call.form.text("invoice_settings.default_payment_method") {
        let theirs = books
            .payment_methods
            .get(id)
            .is_some_and(|it| it.customer.as_deref() == Some(call.id()));
        if !theirs {
            return Err(Refusal::names_missing(
                "PaymentMethod",
                id,
                "invoice_settings[default_payment_method]",
            ));
        }
    }
    customer.apply(&call.form);
    books.put(customer.clone());
    Ok(events::emit(books, &call.cause, "customer.updated", &customer))
}

/// Deletes a customer and detaches what was attached to it.
pub fn delete(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let mut customer = live(books, call.id())?;
    let attached: Vec<String> = books
        .payment_methods
        .iter()
        .filter(|method| method.customer.as_deref() == Some(call.id()))
        .map(|method| method.id.clone())
        .collect();
    for id in attached {
        payment_methods::let_go(books, &call.cause, &id);
    }
    events::emit(books, &call.cause, "customer.deleted", &customer);
    customer.deleted = true;
    books.put(customer);
    Ok(gone(call.id()))
}

pub fn list(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let email = call.form.text("email");
    let shown = books.customers.iter().filter(|it| !it.deleted);
    pages::page(
        call,
        shown.filter(|it| email.is_none_or(|email| it.email.as_deref() == Some(email))),
        |it| &it.id,
    )
}

fn gone(id: &str) -> Value {
    json!({ "id": id, "object": "customer", "deleted": true })
}
