//! Customers.

use serde_json::{Value, json};

use super::{events, payment_methods};
use crate::api_error::ApiError;
use crate::form::Form;
use crate::objects::{Address, Customer, InvoiceSettings, Metadata};
use crate::pagination;
use crate::request::ApiRequest;
use crate::state::State;

fn apply_parameters(customer: &mut Customer, form: &Form) {
    let texts = [
        ("description", &mut customer.description),
        ("email", &mut customer.email),
        ("name", &mut customer.name),
        ("phone", &mut customer.phone),
        (
            "invoice_settings.default_payment_method",
            &mut customer.invoice_settings.default_payment_method,
        ),
    ];
    for (path, field) in texts {
        if form.has(path) {
            *field = form.owned(path);
        }
    }
    if let Some(address) = form.within("address") {
        customer.address = Some(Address::from(&address));
    }
    customer.metadata.merge(form);
}

/// Returns the customer in the path, unless it was deleted.
fn load(state: &State, id: &str) -> Result<Customer, ApiError> {
    let customer = state
        .customers
        .get(id)
        .filter(|customer| !customer.deleted)
        .cloned();
    customer.ok_or_else(|| ApiError::missing("customer", id, "id"))
}

pub fn create(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let mut customer = Customer {
        id: state.new_id("cus"),
        object: "customer".into(),
        address: None,
        balance: 0,
        created: request.context.now(),
        default_source: None,
        delinquent: false,
        description: None,
        email: None,
        invoice_settings: InvoiceSettings::default(),
        livemode: false,
        metadata: Metadata::default(),
        name: None,
        phone: None,
        preferred_locales: Vec::new(),
        tax_exempt: "none".into(),
        deleted: false,
    };
    apply_parameters(&mut customer, &request.form);
    // An unknown payment method must not leave a customer behind.
    let method = match request.form.text("payment_method") {
        Some(id) => Some(payment_methods::resolve(state, &request.context, id)?),
        None => None,
    };
    state.put(customer.clone());
    if let Some(method) = method {
        payment_methods::attach_to(state, &request.context, method, &customer.id)?;
    }
    Ok(events::emit(
        state,
        &request.context,
        "customer.created",
        &customer,
    ))
}

pub fn retrieve(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let customer = state
        .customers
        .get(request.id())
        .ok_or_else(|| ApiError::missing("customer", request.id(), "id"))?;
    if customer.deleted {
        return Ok(deleted_customer(&customer.id));
    }
    Ok(json!(customer))
}

pub fn update(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let mut customer = load(state, request.id())?;
    if let Some(id) = request.form.text("invoice_settings.default_payment_method") {
        let is_attached = state
            .payment_methods
            .get(id)
            .is_some_and(|method| method.customer.as_deref() == Some(request.id()));
        if !is_attached {
            return Err(ApiError::missing_reference(
                "PaymentMethod",
                id,
                "invoice_settings[default_payment_method]",
            ));
        }
    }
    apply_parameters(&mut customer, &request.form);
    state.put(customer.clone());
    Ok(events::emit(
        state,
        &request.context,
        "customer.updated",
        &customer,
    ))
}

/// Deletes a customer and detaches its payment methods.
pub fn delete(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let mut customer = load(state, request.id())?;
    let attached: Vec<String> = state
        .payment_methods
        .iter()
        .filter(|method| method.customer.as_deref() == Some(request.id()))
        .map(|method| method.id.clone())
        .collect();
    for id in attached {
        payment_methods::detach_from_customer(state, &request.context, &id);
    }
    events::emit(state, &request.context, "customer.deleted", &customer);
    customer.deleted = true;
    state.put(customer);
    Ok(deleted_customer(request.id()))
}

pub fn list(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let email = request.form.text("email");
    let customers = state.customers.iter().filter(|customer| {
        !customer.deleted && email.is_none_or(|email| customer.email.as_deref() == Some(email))
    });
    pagination::page(request, customers, |customer| &customer.id)
}

fn deleted_customer(id: &str) -> Value {
    json!({ "id": id, "object": "customer", "deleted": true })
}
