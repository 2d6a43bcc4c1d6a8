//! Payment methods: cards and US bank accounts.

use serde_json::{Value, json};

use super::{events, instruments, lookup};
use crate::api_error::ApiError;
use crate::card_behavior::CardBehavior;
use crate::form::Form;
use crate::objects::{BillingDetails, Card, Metadata, PaymentMethod, UsBankAccount};
use crate::pagination;
use crate::request::{ApiRequest, RequestContext};
use crate::state::State;

/// The card or bank account of a new payment method.
enum Instrument {
    Card(Card),
    UsBankAccount(UsBankAccount),
}

/// Creates a payment method from the parameters `type`, `card[…]` or `us_bank_account[…]`, and `billing_details[…]`.
///
/// # Errors
/// If the type is not supported, or the number or expiration date is invalid.
pub fn create_from_form(
    state: &mut State,
    context: &RequestContext,
    form: &Form,
) -> Result<PaymentMethod, ApiError> {
    let (instrument, behavior) = match form.required("type")? {
        "card" => {
            let (card, behavior) = instruments::card_from_form(form, state.seed, context.now())?;
            (Instrument::Card(card), behavior)
        }
        "us_bank_account" => {
            let (account, behavior) = instruments::bank_account_from_form(form, state.seed)?;
            (Instrument::UsBankAccount(account), behavior)
        }
        other => {
            let message = format!(
                "The sandbox supports the payment method types card and us_bank_account, not {other}."
            );
            return Err(ApiError::parameter(
                "payment_method_unsupported_type",
                "type",
                message,
            ));
        }
    };
    let mut method = store(state, context, instrument, behavior);
    method.billing_details.apply(form);
    method.metadata = Metadata::from_form(form);
    state.put(method.clone());
    Ok(method)
}

/// Returns the payment method with an id, or a new one for a token such as `pm_card_visa`.
///
/// # Errors
/// If it is neither an id nor a token.
pub fn resolve(state: &mut State, context: &RequestContext, id: &str) -> Result<PaymentMethod, ApiError> {
    if let Some(method) = state.payment_methods.get(id) {
        return Ok(method.clone());
    }
    if let Some((card, behavior)) = instruments::card_from_token(id, state.seed, context.now()) {
        return Ok(store(state, context, Instrument::Card(card), behavior));
    }
    if let Some((account, behavior)) = instruments::bank_account_from_token(id, state.seed) {
        return Ok(store(
            state,
            context,
            Instrument::UsBankAccount(account),
            behavior,
        ));
    }
    Err(ApiError::missing_reference("PaymentMethod", id, "payment_method"))
}

fn store(
    state: &mut State,
    context: &RequestContext,
    instrument: Instrument,
    behavior: CardBehavior,
) -> PaymentMethod {
    let (method_type, card, us_bank_account) = match instrument {
        Instrument::Card(card) => ("card", Some(card), None),
        Instrument::UsBankAccount(account) => ("us_bank_account", None, Some(account)),
    };
    let method = PaymentMethod {
        id: state.new_id("pm"),
        object: "payment_method".into(),
        allow_redisplay: "unspecified".into(),
        billing_details: BillingDetails::default(),
        method_type: method_type.into(),
        card,
        created: context.now(),
        customer: None,
        livemode: false,
        metadata: Metadata::default(),
        us_bank_account,
    };
    state.put(CardBehavior {
        payment_method: method.id.clone(),
        ..behavior
    });
    state.put(method.clone());
    method
}

/// Attaches a payment method to a customer.
///
/// # Errors
/// If it belongs to another customer, was detached before, or its issuer declines.
pub fn attach_to(
    state: &mut State,
    context: &RequestContext,
    mut method: PaymentMethod,
    customer: &str,
) -> Result<PaymentMethod, ApiError> {
    lookup::customer(state, customer)?;
    if method.customer.as_deref() == Some(customer) {
        return Ok(method);
    }
    check_usable(state, &method, Some(customer))?;
    if let Some(decline) = lookup::behavior(state, &method.id).on_attach {
        return Err(decline.to_error());
    }
    method.customer = Some(customer.to_owned());
    state.put(method.clone());
    events::emit(state, context, "payment_method.attached", &method);
    Ok(method)
}

/// Checks that a payment method can be used for a customer, or for a payment without a customer.
///
/// # Errors
/// If it belongs to another customer or was detached.
pub fn check_usable(state: &State, method: &PaymentMethod, customer: Option<&str>) -> Result<(), ApiError> {
    if lookup::behavior(state, &method.id).detached {
        return Err(ApiError::invalid(
            "This PaymentMethod was previously used without being attached to a Customer or was detached from a \
             Customer, and may not be used again.",
        )
        .with("code", "payment_method_unexpected_state"));
    }
    match (&method.customer, customer) {
        (Some(owner), Some(customer)) if owner != customer => Err(ApiError::invalid(
            "The payment method you provided has already been attached to a customer.",
        )),
        (Some(_), None) => Err(ApiError::invalid(format!(
            "The PaymentMethod {} belongs to a Customer. Please include the Customer in the `customer` parameter.",
            method.id
        ))),
        _ => Ok(()),
    }
}

/// Detaches a payment method from its customer, if it has one. It can never be used again.
pub fn detach_from_customer(state: &mut State, context: &RequestContext, id: &str) -> Option<PaymentMethod> {
    let mut method = state.payment_methods.get(id)?.clone();
    let customer = method.customer.take()?;
    state.put(CardBehavior {
        detached: true,
        ..lookup::behavior(state, id)
    });
    state.put(method.clone());
    if let Some(mut customer) = state.customers.get(&customer).cloned()
        && customer.invoice_settings.default_payment_method.as_deref() == Some(id)
    {
        customer.invoice_settings.default_payment_method = None;
        state.put(customer);
    }
    events::emit(state, context, "payment_method.detached", &method);
    Some(method)
}

fn load(state: &State, id: &str) -> Result<PaymentMethod, ApiError> {
    state
        .payment_methods
        .get(id)
        .cloned()
        .ok_or_else(|| ApiError::missing("PaymentMethod", id, "payment_method"))
}

pub fn create(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    create_from_form(state, &request.context, &request.form).map(|method| json!(method))
}

pub fn retrieve(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    load(state, request.id()).map(|method| json!(method))
}

pub fn update(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let form = &request.form;
    let mut method = load(state, request.id())?;
    method.billing_details.apply(form);
    method.metadata.merge(form);
    if let Some(allow_redisplay) = form.owned("allow_redisplay") {
        method.allow_redisplay = allow_redisplay;
    }
    if let Some(card) = &mut method.card {
        card.exp_month = form.integer("card.exp_month")?.unwrap_or(card.exp_month);
        card.exp_year = form.integer("card.exp_year")?.unwrap_or(card.exp_year);
    }
    state.put(method.clone());
    Ok(events::emit(
        state,
        &request.context,
        "payment_method.updated",
        &method,
    ))
}

pub fn attach(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let customer = request.form.required("customer")?;
    let method = resolve(state, &request.context, request.id())?;
    attach_to(state, &request.context, method, customer).map(|method| json!(method))
}

pub fn detach(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    load(state, request.id())?;
    detach_from_customer(state, &request.context, request.id())
        .map(|method| json!(method))
        .ok_or_else(|| {
            ApiError::invalid(
                "The payment method you provided is not attached to a customer so detachment is impossible.",
            )
        })
}

/// `GET /v1/payment_methods?customer=…`
pub fn list(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    page_of_customer(state, request, request.form.required("customer")?)
}

/// `GET /v1/customers/{id}/payment_methods`
pub fn list_of_customer(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    page_of_customer(state, request, request.id())
}

fn page_of_customer(state: &State, request: &ApiRequest, customer: &str) -> Result<Value, ApiError> {
    lookup::customer(state, customer)?;
    let method_type = request.form.text("type");
    let methods = state.payment_methods.iter().filter(|method| {
        method.customer.as_deref() == Some(customer)
            && method_type.is_none_or(|method_type| method.method_type == method_type)
    });
    pagination::page(request, methods, |method| &method.id)
}
