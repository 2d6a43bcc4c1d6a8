//! Disputes: money that is taken back after it had arrived.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::events;
use super::metadata::Metadata;
use crate::books::Books;
use crate::call::{Call, Cause};
use crate::refusal::Refusal;

/// A dispute, as the API shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Dispute {
    pub id: String,
    pub object: String,
    pub amount: i64,
    pub balance_transactions: Vec<Value>,
    pub charge: String,
    pub created: i64,
    pub currency: String,
    pub enhanced_eligibility_types: Vec<String>,
    pub evidence: Value,
    pub evidence_details: Value,
    pub is_charge_refundable: bool,
    pub livemode: bool,
    pub metadata: Metadata,
    pub payment_intent: Option<String>,
    pub reason: String,
    pub status: String,
}

/// Disputes a charge. That of a bank debit is lost at once; a card's waits for an answer.
pub fn open(books: &mut Books, cause: &Cause, charge: &str, reason: &str) -> Option<Dispute> {
    let mut charge = books
        .charges
        .get(charge)
        .filter(|charge| !charge.disputed)?
        .clone();
    charge.disputed = true;
    books.put(charge.clone());
    let lost = charge.id.starts_with("py_");
    let dispute = Dispute {
        id: books.mint("dp"),
        object: "dispute".into(),
        amount: charge.amount_captured,
        balance_transactions: Vec::new(),
        charge: charge.id.clone(),
        created: cause.now(),
        currency: charge.currency.clone(),
        enhanced_eligibility_types: Vec::new(),
        evidence: json!({ "enhanced_evidence": {} }),
        evidence_details: json!({
            "due_by": null, "enhanced_eligibility": {}, "has_evidence": false, "past_due": false,
            "submission_count": 0,
        }),
        is_charge_refundable: false,
        livemode: false,
        metadata: Metadata::new(),
        payment_intent: charge.payment_intent.clone(),
        reason: reason.into(),
        status: if lost { "lost" } else { "needs_response" }.into(),
    };
    books.put(dispute.clone());
    events::emit(books, cause, "charge.dispute.created", &dispute);
    events::emit(books, cause, "charge.dispute.funds_withdrawn", &dispute);
    if lost {
        events::emit(books, cause, "charge.dispute.closed", &dispute);
    }
    Some(dispute)
}

pub fn retrieve(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let dispute = books
        .disputes
        .get(call.id())
        .ok_or_else(|| Refusal::missing("dispute", call.id(), "dispute"))?;
    Ok(json!(dispute))
}
