//! Disputes.

use serde_json::{Value, json};

use super::events;
use crate::api_error::ApiError;
use crate::objects::{Dispute, DisputeStatus, Metadata};
use crate::pagination;
use crate::request::{ApiRequest, RequestContext};
use crate::state::State;

/// How long evidence can be sent.
const RESPONSE_SECONDS: i64 = 7 * 24 * 60 * 60;

/// Disputes a charge, unless it is already disputed. The dispute of a bank debit is lost immediately; that of a card
/// needs a response.
pub fn open_dispute(
    state: &mut State,
    context: &RequestContext,
    charge: &str,
    reason: &str,
) -> Option<Dispute> {
    let mut charge = state
        .charges
        .get(charge)
        .filter(|charge| !charge.disputed)?
        .clone();
    charge.disputed = true;
    state.put(charge.clone());
    let is_lost = charge.id.starts_with("py_");
    let due_by = (!is_lost).then(|| context.now() + RESPONSE_SECONDS);
    let dispute = Dispute {
        id: state.new_id("dp"),
        object: "dispute".into(),
        amount: charge.amount_captured,
        balance_transactions: Vec::new(),
        charge: charge.id.clone(),
        created: context.now(),
        currency: charge.currency.clone(),
        enhanced_eligibility_types: Vec::new(),
        evidence: json!({ "enhanced_evidence": {} }),
        evidence_details: json!({
            "due_by": due_by, "enhanced_eligibility": {}, "has_evidence": false, "past_due": false,
            "submission_count": 0,
        }),
        is_charge_refundable: false,
        livemode: false,
        metadata: Metadata::default(),
        payment_intent: charge.payment_intent.clone(),
        reason: reason.into(),
        status: if is_lost {
            DisputeStatus::Lost
        } else {
            DisputeStatus::NeedsResponse
        },
    };
    state.put(dispute.clone());
    events::emit(state, context, "charge.dispute.created", &dispute);
    events::emit(state, context, "charge.dispute.funds_withdrawn", &dispute);
    if is_lost {
        events::emit(state, context, "charge.dispute.closed", &dispute);
    }
    Some(dispute)
}

pub fn retrieve(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let dispute = state
        .disputes
        .get(request.id())
        .ok_or_else(|| ApiError::missing("dispute", request.id(), "dispute"))?;
    Ok(json!(dispute))
}

pub fn list(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let intent = request.form.text("payment_intent");
    let charge = request.form.text("charge");
    let disputes = state.disputes.iter().filter(|dispute| {
        intent.is_none_or(|intent| dispute.payment_intent.as_deref() == Some(intent))
            && charge.is_none_or(|charge| dispute.charge == charge)
    });
    pagination::page(request, disputes, |dispute| &dispute.id)
}
