//! Refunds, whole or in part. Those of bank debits take their time.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::charges::Charge;
use super::events;
use super::metadata::{self, Metadata};
use crate::books::Books;
use crate::call::{Call, Cause};
use crate::pages;
use crate::refusal::Refusal;
use crate::settlement;

/// A refund, as the API shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Refund {
    pub id: String,
    pub object: String,
    pub amount: i64,
    pub charge: String,
    pub created: i64,
    pub currency: String,
    pub failure_reason: Option<String>,
    pub metadata: Metadata,
    pub payment_intent: Option<String>,
    pub reason: Option<String>,
    pub status: String,
}

/// `POST /v1/refunds`, of a charge or of a payment intent's charge.
pub fn create(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let mut charge = refundable(books, call)?;
    let left = charge.amount_captured - refunded_of_captured(&charge);
    let amount = call.form.integer("amount")?.unwrap_or(left);
    if amount < 1 {
        let message = "This value must be greater than or equal to 1.";
        return Err(Refusal::parameter("parameter_invalid_integer", "amount", message));
    }
    if amount > left {
        let message = format!(
            "Refund amount ({}) is greater than unrefunded amount on charge ({})",
            dollars(amount),
            dollars(left)
        );
        return Err(Refusal::invalid(message).with("param", "amount"));
    }
    let slow = charge.id.starts_with("py_");
    charge.amount_refunded += amount;
    charge.refunded = amount == left;
    books.put(charge.clone());
    let refund = Refund {
        id: books.mint(if slow { "pyr" } else { "re" }),
        object: "refund".into(),
        amount,
        charge: charge.id.clone(),
        created: call.cause.now(),
        currency: charge.currency.clone(),
        failure_reason: None,
        metadata: metadata::from(&call.form),
        payment_intent: charge.payment_intent.clone(),
        reason: call.form.owned("reason"),
        status: if slow { "pending" } else { "succeeded" }.into(),
    };
    books.put(refund.clone());
    if slow {
        settlement::expect(books, &call.cause, &refund.id);
    }
    events::emit(books, &call.cause, "refund.created", &refund);
    events::emit(books, &call.cause, "charge.refunded", &charge);
    Ok(json!(refund))
}

fn refundable(books: &Books, call: &Call) -> Result<Charge, Refusal> {
    let id = match (call.form.text("charge"), call.form.text("payment_intent")) {
        (Some(charge), _) => charge.to_owned(),
        (None, Some(id)) => {
            let intent = books.payment_intents.get(id);
            let intent =
                intent.ok_or_else(|| Refusal::names_missing("payment_intent", id, "payment_intent"))?;
            intent
                .latest_charge
                .clone()
                .ok_or_else(|| nothing_to_refund(id))?
        }
        (None, None) => {
            return Err(Refusal::parameter(
                "parameter_missing",
                "payment_intent",
                "One of the following params should be provided for this request: payment_intent or charge.",
            ));
        }
    };
    let charge = books
        .charges
        .get(&id)
        .ok_or_else(|| Refusal::names_missing("charge", &id, "charge"))?;
    if charge.refunded {
        let message = format!("Charge {id} has already been refunded.");
        return Err(Refusal::invalid(message).with("code", "charge_already_refunded"));
    }
    if charge.disputed {
        let message = format!("Charge {id} has been charged back; cannot issue a refund.");
        return Err(Refusal::invalid(message).with("code", "charge_disputed"));
    }
    if charge.status != "succeeded" || !charge.captured {
        return Err(nothing_to_refund(&id));
    }
    Ok(charge.clone())
}

fn nothing_to_refund(id: &str) -> Refusal {
    Refusal::invalid(format!("{id} does not have a successful charge to refund."))
        .with("code", "charge_not_refundable")
}

/// What was given back of what was captured; an uncaptured rest counts as refunded on the charge.
fn refunded_of_captured(charge: &Charge) -> i64 {
    charge.amount_refunded - (charge.amount - charge.amount_captured)
}

fn dollars(cents: i64) -> String {
    format!("${}.{:02}", cents / 100, cents % 100)
}

/// A refund that took its time arrives.
pub fn arrive(books: &mut Books, cause: &Cause, id: &str) {
    let Some(mut refund) = books
        .refunds
        .get(id)
        .filter(|refund| refund.status == "pending")
        .cloned()
    else {
        return;
    };
    refund.status = "succeeded".into();
    books.put(refund.clone());
    events::emit(books, cause, "refund.updated", &refund);
}

pub fn retrieve(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let refund = books
        .refunds
        .get(call.id())
        .ok_or_else(|| Refusal::missing("refund", call.id(), "refund"))?;
    Ok(json!(refund))
}

pub fn list(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let (intent, charge) = (call.form.text("payment_intent"), call.form.text("charge"));
    let wanted = |refund: &&Refund| {
        intent.is_none_or(|intent| refund.payment_intent.as_deref() == Some(intent))
            && charge.is_none_or(|charge| refund.charge == charge)
    };
    pages::page(call, books.refunds.iter().filter(wanted), |it| &it.id)
}
