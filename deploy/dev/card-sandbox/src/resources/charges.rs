//! Charges: each attempt of a payment intent.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::instruments::BillingDetails;
use super::metadata::Metadata;
use super::payment_intents::PaymentIntent;
use super::payment_methods::PaymentMethod;
use crate::books::Books;
use crate::call::{Call, Cause};
use crate::nature::Decline;
use crate::pages;
use crate::refusal::Refusal;

/// How an authorization lasts, in seconds, before the provider cancels it.
const HELD_FOR: i64 = 7 * 24 * 60 * 60;

/// A charge, as the API shows it. Amounts are in minor units.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Charge {
    pub id: String,
    pub object: String,
    pub amount: i64,
    pub amount_captured: i64,
    pub amount_refunded: i64,
    pub billing_details: BillingDetails,
    pub captured: bool,
    pub created: i64,
    pub currency: String,
    pub customer: Option<String>,
    pub description: Option<String>,
    pub disputed: bool,
    pub failure_code: Option<String>,
    pub failure_message: Option<String>,
    pub livemode: bool,
    pub metadata: Metadata,
    pub outcome: Value,
    pub paid: bool,
    pub payment_intent: Option<String>,
    pub payment_method: String,
    pub payment_method_details: Value,
    pub receipt_email: Option<String>,
    pub refunded: bool,
    pub statement_descriptor: Option<String>,
    pub statement_descriptor_suffix: Option<String>,
    pub status: String,
}

/// What became of an attempt.
#[derive(Debug, Clone)]
pub enum Attempt {
    Captured,
    Authorised,
    Pending,
    Failed(Decline),
}

/// Notes an attempt.
pub fn open(
    books: &mut Books,
    cause: &Cause,
    intent: &PaymentIntent,
    method: &PaymentMethod,
    attempt: &Attempt,
) -> Charge {
    let (status, captured, paid) = match attempt {
        Attempt::Captured => ("succeeded", true, true),
        Attempt::Authorised => ("succeeded", false, true),
        Attempt::Pending => ("pending", true, false),
        Attempt::Failed(_) => ("failed", false, false),
    };
    let decline = if let Attempt::Failed(decline) = attempt {
        Some(decline)
    } else {
        None
    };
    let charge = Charge {
        id: books.mint(if method.us_bank_account.is_some() {
            "py"
        } else {
            "ch"
        }),
        object: "charge".into(),
        amount: intent.amount,
        amount_captured: if captured { intent.amount } else { 0 },
        amount_refunded: 0,
        billing_details: method.billing_details.clone(),
        captured,
        created: cause.now(),
        currency: intent.currency.clone(),
        customer: intent.customer.clone(),
        description: intent.description.clone(),
        disputed: false,
        failure_code: decline.map(|decline| decline.code.clone()),
        failure_message: decline.map(|decline| decline.message.clone()),
        livemode: false,
        metadata: intent.metadata.clone(),
        outcome: outcome(decline),
        paid,
        payment_intent: Some(intent.id.clone()),
        payment_method: method.id.clone(),
        payment_method_details: details(method, cause, matches!(attempt, Attempt::Authorised)),
        receipt_email: intent.receipt_email.clone(),
        refunded: false,
        statement_descriptor: intent.statement_descriptor.clone(),
        statement_descriptor_suffix: intent.statement_descriptor_suffix.clone(),
        status: status.into(),
    };
    books.put(charge.clone());
    charge
}

fn outcome(decline: Option<&Decline>) -> Value {
    match decline {
        None => json!({
            "network_status": "approved_by_network", "reason": null, "risk_level": "normal",
            "seller_message": "Payment complete.", "type": "authorized",
        }),
        Some(decline) => json!({
            "network_status": "declined_by_network", "reason": decline.decline_code, "risk_level": "normal",
            "seller_message": "The bank did not return any further details with this decline.",
            "type": "issuer_declined",
        }),
    }
}

fn details(method: &PaymentMethod, cause: &Cause, held: bool) -> Value {
    if let Some(card) = &method.card {
        let capture_before = held.then(|| cause.now() + HELD_FOR);
        return json!({ "type": "card", "card": {
            "brand": card.brand, "capture_before": capture_before, "checks": card.checks, "country": card.country,
            "exp_month": card.exp_month, "exp_year": card.exp_year, "fingerprint": card.fingerprint,
            "funding": card.funding, "last4": card.last4, "network": card.brand, "wallet": card.wallet,
        }});
    }
    json!({ "type": "us_bank_account", "us_bank_account": method.us_bank_account.as_ref().map(|bank| json!({
        "account_holder_type": bank.account_holder_type, "account_type": bank.account_type,
        "bank_name": bank.bank_name, "fingerprint": bank.fingerprint, "last4": bank.last4,
        "routing_number": bank.routing_number,
    })) })
}

pub fn retrieve(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let charge = books
        .charges
        .get(call.id())
        .ok_or_else(|| Refusal::missing("charge", call.id(), "charge"))?;
    Ok(json!(charge))
}

pub fn list(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let (intent, customer) = (call.form.text("payment_intent"), call.form.text("customer"));
    let wanted = |charge: &&Charge| {
        intent.is_none_or(|intent| charge.payment_intent.as_deref() == Some(intent))
            && customer.is_none_or(|customer| charge.customer.as_deref() == Some(customer))
    };
    pages::page(call, books.charges.iter().filter(wanted), |it| &it.id)
}
