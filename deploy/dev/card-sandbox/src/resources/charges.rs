//! Charges: the attempts of payment intents.

use serde_json::{Value, json};

use crate::api_error::ApiError;
use crate::card_behavior::Decline;
use crate::objects::{Charge, ChargeStatus, PaymentIntent, PaymentMethod};
use crate::pagination;
use crate::request::{ApiRequest, RequestContext};
use crate::state::State;

/// How long an authorization is valid.
const AUTHORIZATION_SECONDS: i64 = 7 * 24 * 60 * 60;

/// The result of an attempt.
#[derive(Debug, Clone)]
pub enum Attempt {
    Captured,
    Authorized,
    Pending,
    Failed(Decline),
}

/// Stores an attempt as a charge.
pub fn record_attempt(
    state: &mut State,
    context: &RequestContext,
    intent: &PaymentIntent,
    method: &PaymentMethod,
    attempt: &Attempt,
) -> Charge {
    let (status, captured, paid) = match attempt {
        Attempt::Captured => (ChargeStatus::Succeeded, true, true),
        Attempt::Authorized => (ChargeStatus::Succeeded, false, true),
        Attempt::Pending => (ChargeStatus::Pending, true, false),
        Attempt::Failed(_) => (ChargeStatus::Failed, false, false),
    };
    let decline = match attempt {
        Attempt::Failed(decline) => Some(decline),
        _ => None,
    };
    let charge = Charge {
        id: state.new_id(if method.us_bank_account.is_some() {
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
        created: context.now(),
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
        payment_method_details: payment_method_details(
            method,
            context,
            matches!(attempt, Attempt::Authorized),
        ),
        receipt_email: intent.receipt_email.clone(),
        refunded: false,
        statement_descriptor: intent.statement_descriptor.clone(),
        statement_descriptor_suffix: intent.statement_descriptor_suffix.clone(),
        status,
    };
    state.put(charge.clone());
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

fn payment_method_details(method: &PaymentMethod, context: &RequestContext, is_authorized: bool) -> Value {
    if let Some(card) = &method.card {
        let capture_before = is_authorized.then(|| context.now() + AUTHORIZATION_SECONDS);
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

pub fn retrieve(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let charge = state
        .charges
        .get(request.id())
        .ok_or_else(|| ApiError::missing("charge", request.id(), "charge"))?;
    Ok(json!(charge))
}

pub fn list(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let intent = request.form.text("payment_intent");
    let customer = request.form.text("customer");
    let charges = state.charges.iter().filter(|charge| {
        intent.is_none_or(|intent| charge.payment_intent.as_deref() == Some(intent))
            && customer.is_none_or(|customer| charge.customer.as_deref() == Some(customer))
    });
    pagination::page(request, charges, |charge| &charge.id)
}
