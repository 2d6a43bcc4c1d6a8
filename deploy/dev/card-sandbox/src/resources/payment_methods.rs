//! Payment methods: cards and US bank accounts.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::instruments::{self, BillingDetails, Card, UsBankAccount};
use super::metadata::{self, Metadata};
use super::{customers, events};
use crate::books::Books;
use crate::call::{Call, Cause};
use crate::form::Form;
use crate::nature::Nature;
use crate::pages;
use crate::refusal::Refusal;

/// A payment method, as the API shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PaymentMethod {
    pub id: String,
    pub object: String,
    pub allow_redisplay: String,
    pub billing_details: BillingDetails,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Card>,
    pub created: i64,
    pub customer: Option<String>,
    pub livemode: bool,
    pub metadata: Metadata,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub us_bank_account: Option<UsBankAccount>,
}

/// How a payment method behaves.
pub fn nature(books: &Books, id: &str) -> Nature {
    books.natures.get(id).cloned().unwrap_or_default()
}

/// A payment method from `type`, `card[…]` or `us_bank_account[…]`, and `billing_details[…]`.
///
/// # Errors
/// When the type is not one of ours or the number cannot be right.
pub fn from_form(books: &mut Books, cause: &Cause, form: &Form) -> Result<PaymentMethod, Refusal> {
    let kind = form.required("type")?;
    let (card, us_bank_account, nature) = match kind {
        "card" => {
            let (card, nature) = instruments::card(form, books.seed, cause.now())?;
            (Some(card), None, nature)
        }
        "us_bank_account" => {
            let (account, nature) = instruments::bank(form, books.seed)?;
            (None, Some(account), nature)
        }
        other => {
            let message =
                format!("The sandbox knows the payment method types card and us_bank_account, not {other}.");
            return Err(Refusal::parameter(
                "payment_method_unsupported_type",
                "type",
                message,
            ));
        }
    };
    let mut billing_details = BillingDetails::default();
    billing_details.apply(form);
    Ok(keep(
        books,
        cause,
        card,
        us_bank_account,
        nature,
        billing_details,
        metadata::from(form),
    ))
}

/// The payment method that a parameter names, or a new one for a token such as `pm_card_visa`.
///
/// # Errors
/// When the id stands for nothing.
pub fn resolve(books: &mut Books, cause: &Cause, id: &str) -> Result<PaymentMethod, Refusal> {
    if let Some(method) = books.payment_methods.get(id) {
        return Ok(method.clone());
    }
    let details = BillingDetails::default();
    if let Some((card, nature)) = instruments::card_of_token(id, books.seed, cause.now()) {
        return Ok(keep(
            books,
            cause,
            Some(card),
            None,
            nature,
            details,
            Metadata::new(),
        ));
    }
    if let Some((account, nature)) = instruments::bank_of_token(id, books.seed) {
        return Ok(keep(
            books,
            cause,
            None,
            Some(account),
            nature,
            details,
            Metadata::new(),
        ));
    }
    Err(Refusal::names_missing("PaymentMethod", id, "payment_method"))
}

fn keep(
    books: &mut Books,
    cause: &Cause,
    card: Option<Card>,
    us_bank_account: Option<UsBankAccount>,
    nature: Nature,
    billing_details: BillingDetails,
    metadata: Metadata,
) -> PaymentMethod {
    let method = PaymentMethod {
        id: books.mint("pm"),
        object: "payment_method".into(),
        allow_redisplay: "unspecified".into(),
        billing_details,
        kind: if card.is_some() { "card" } else { "us_bank_account" }.into(),
        card,
        created: cause.now(),
        customer: None,
        livemode: false,
        metadata,
        us_bank_account,
    };
    books.put(Nature {
        payment_method: method.id.clone(),
        ..nature
    });
    books.put(method.clone());
    method
}

/// Attaches a payment method to a customer, unless it refuses.
///
/// # Errors
/// When it is another customer's, was detached before, or its issuer declines.
pub fn attach_to(
    books: &mut Books,
    cause: &Cause,
    mut method: PaymentMethod,
    customer: &str,
) -> Result<PaymentMethod, Refusal> {
    customers::named(books, customer)?;
    if method.customer.as_deref() == Some(customer) {
        return Ok(method);
    }
    check_usable(books, &method, Some(customer))?;
    if let Some(decline) = nature(books, &method.id).on_attach {
        return Err(decline.refusal());
    }
    method.customer = Some(customer.to_owned());
    books.put(method.clone());
    events::emit(books, cause, "payment_method.attached", &method);
    Ok(method)
}

/// Whether a payment method may be used for this customer.
///
/// # Errors
/// When it is somebody else's or was detached.
pub fn check_usable(books: &Books, method: &PaymentMethod, customer: Option<&str>) -> Result<(), Refusal> {
    if nature(books, &method.id).spent {
        return Err(Refusal::invalid(
            "This PaymentMethod was previously used without being attached to a Customer or was detached from a \
             Customer, and may not be used again.",
        )
        .with("code", "payment_method_unexpected_state"));
    }
    match (&method.customer, customer) {
        (Some(theirs), Some(customer)) if theirs != customer => Err(Refusal::invalid(
            "The payment method you provided has already been attached to a customer.",
        )),
        (Some(_), None) => Err(Refusal::invalid(format!(
            "The PaymentMethod {} belongs to a Customer. Please include the Customer in the `customer` parameter.",
            method.id
        ))),
        _ => Ok(()),
    }
}

/// Takes a payment method from its customer; it can never be used again.
pub fn let_go(books: &mut Books, cause: &Cause, id: &str) -> Option<PaymentMethod> {
    let mut method = books.payment_methods.get(id)?.clone();
    let customer = method.customer.take()?;
    books.put(Nature {
        spent: true,
        ..nature(books, id)
    });
    books.put(method.clone());
    if let Some(mut customer) = books.customers.get(&customer).cloned()
        && customer.invoice_settings.default_payment_method.as_deref() == Some(id)
    {
        customer.invoice_settings.default_payment_method = None;
        books.put(customer);
    }
    events::emit(books, cause, "payment_method.detached", &method);
    Some(method)
}

fn known(books: &Books, id: &str) -> Result<PaymentMethod, Refusal> {
    books
        .payment_methods
        .get(id)
        .cloned()
        .ok_or_else(|| Refusal::missing("PaymentMethod", id, "payment_method"))
}

pub fn create(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    from_form(books, &call.cause, &call.form).map(|method| json!(method))
}

pub fn retrieve(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    known(books, call.id()).map(|method| json!(method))
}

pub fn update(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let mut method = known(books, call.id())?;
    method.billing_details.apply(&call.form);
    metadata::merge(&mut method.metadata, &call.form);
    if let Some(allowed) = call.form.owned("allow_redisplay") {
        method.allow_redisplay = allowed;
    }
    if let Some(card) = &mut method.card {
        card.exp_month = call.form.integer("card.exp_month")?.unwrap_or(card.exp_month);
        card.exp_year = call.form.integer("card.exp_year")?.unwrap_or(card.exp_year);
    }
    books.put(method.clone());
    Ok(events::emit(
        books,
        &call.cause,
        "payment_method.updated",
        &method,
    ))
}

pub fn attach(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let customer = call.form.required("customer")?;
    let method = resolve(books, &call.cause, call.id())?;
    attach_to(books, &call.cause, method, customer).map(|method| json!(method))
}

pub fn detach(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    known(books, call.id())?;
    let_go(books, &call.cause, call.id())
        .map(|method| json!(method))
        .ok_or_else(|| {
            Refusal::invalid(
                "The payment method you provided is not attached to a customer so detachment is impossible.",
            )
        })
}

/// `GET /v1/payment_methods?customer=…`
pub fn list(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    of_customer(books, call, call.form.required("customer")?)
}

/// `GET /v1/customers/{id}/payment_methods`
pub fn list_of_customer(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    of_customer(books, call, call.id())
}

fn of_customer(books: &Books, call: &Call, customer: &str) -> Result<Value, Refusal> {
    customers::named(books, customer)?;
    let kind = call.form.text("type");
    let theirs = books
        .payment_methods
        .iter()
        .filter(|method| method.customer.as_deref() == Some(customer));
    pages::page(
        call,
        theirs.filter(|method| kind.is_none_or(|kind| method.kind == kind)),
        |it| &it.id,
    )
}
