//! Refunds, full or partial. Refunds of bank debits are pending first.

use serde_json::{Value, json};

use super::{events, schedule};
use crate::api_error::ApiError;
use crate::objects::{Charge, ChargeStatus, Metadata, Refund, RefundStatus};
use crate::pagination;
use crate::request::{ApiRequest, RequestContext};
use crate::state::State;

/// `POST /v1/refunds`, of a charge or of the latest charge of a payment intent.
pub fn create(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let mut charge = refundable_charge(state, request)?;
    let refundable = charge.amount_captured - refunded_of_captured(&charge);
    let amount = request.form.integer("amount")?.unwrap_or(refundable);
    if amount < 1 {
        let message = "This value must be greater than or equal to 1.";
        return Err(ApiError::parameter(
            "parameter_invalid_integer",
            "amount",
            message,
        ));
    }
    if amount > refundable {
        let message = format!(
            "Refund amount ({}) is greater than unrefunded amount on charge ({})",
            format_dollars(amount),
            format_dollars(refundable)
        );
        return Err(ApiError::invalid(message).with("param", "amount"));
    }
    let is_debit = charge.id.starts_with("py_");
    charge.amount_refunded += amount;
    charge.refunded = amount == refundable;
    state.put(charge.clone());
    let refund = Refund {
        id: state.new_id(if is_debit { "pyr" } else { "re" }),
        object: "refund".into(),
        amount,
        charge: charge.id.clone(),
        created: request.context.now(),
        currency: charge.currency.clone(),
        failure_reason: None,
        metadata: Metadata::from_form(&request.form),
        payment_intent: charge.payment_intent.clone(),
        reason: request.form.owned("reason"),
        status: if is_debit {
            RefundStatus::Pending
        } else {
            RefundStatus::Succeeded
        },
    };
    state.put(refund.clone());
    if is_debit {
        schedule::schedule_decision(state, &request.context, &refund.id);
    }
    events::emit(state, &request.context, "refund.created", &refund);
    events::emit(state, &request.context, "charge.refunded", &charge);
    Ok(json!(refund))
}

fn refundable_charge(state: &State, request: &ApiRequest) -> Result<Charge, ApiError> {
    let id = match (request.form.text("charge"), request.form.text("payment_intent")) {
        (Some(charge), _) => charge.to_owned(),
        (None, Some(id)) => {
            let intent = state.payment_intents.get(id);
            let intent =
                intent.ok_or_else(|| ApiError::missing_reference("payment_intent", id, "payment_intent"))?;
            intent.latest_charge.clone().ok_or_else(|| not_refundable(id))?
        }
        (None, None) => {
            return Err(ApiError::parameter(
                "parameter_missing",
                "payment_intent",
                "One of the following params should be provided for this request: payment_intent or charge.",
            ));
        }
    };
    let charge = state
        .charges
        .get(&id)
        .ok_or_else(|| ApiError::missing_reference("charge", &id, "charge"))?;
    if charge.refunded {
        let message = format!("Charge {id} has already been refunded.");
        return Err(ApiError::invalid(message).with("code", "charge_already_refunded"));
    }
    if charge.disputed {
        let message = format!("Charge {id} has been charged back; cannot issue a refund.");
        return Err(ApiError::invalid(message).with("code", "charge_disputed"));
    }
    if charge.status != ChargeStatus::Succeeded || !charge.captured {
        return Err(not_refundable(&id));
    }
    Ok(charge.clone())
}

fn not_refundable(id: &str) -> ApiError {
    ApiError::invalid(format!("{id} does not have a successful charge to refund."))
        .with("code", "charge_not_refundable")
}

/// Returns how much of the captured amount was refunded. `amount_refunded` also contains the amount that was authorized
/// and not captured.
fn refunded_of_captured(charge: &Charge) -> i64 {
    charge.amount_refunded - (charge.amount - charge.amount_captured)
}

fn format_dollars(cents: i64) -> String {
    format!("${}.{:02}", cents / 100, cents % 100)
}

/// Completes a refund, if it is pending.
pub fn complete(state: &mut State, context: &RequestContext, id: &str) {
    let Some(mut refund) = state
        .refunds
        .get(id)
        .filter(|refund| refund.status == RefundStatus::Pending)
        .cloned()
    else {
        return;
    };
    refund.status = RefundStatus::Succeeded;
    state.put(refund.clone());
    events::emit(state, context, "refund.updated", &refund);
}

/// Fails a refund: the consumer's bank does not accept it, and the amount can be refunded again.
///
/// # Errors
/// If the refund does not exist or has failed.
pub fn fail(state: &mut State, context: &RequestContext, id: &str) -> Result<Value, ApiError> {
    let mut refund = state
        .refunds
        .get(id)
        .filter(|refund| refund.status != RefundStatus::Failed)
        .cloned()
        .ok_or_else(|| ApiError::missing("refund", id, "refund"))?;
    schedule::mark_decided(state, id);
    refund.status = RefundStatus::Failed;
    refund.failure_reason = Some("expired_or_canceled_card".to_owned());
    state.put(refund.clone());
    if let Some(mut charge) = state.charges.get(&refund.charge).cloned() {
        charge.amount_refunded -= refund.amount;
        charge.refunded = false;
        state.put(charge);
    }
    Ok(events::emit(state, context, "refund.failed", &refund))
}

pub fn retrieve(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let refund = state
        .refunds
        .get(request.id())
        .ok_or_else(|| ApiError::missing("refund", request.id(), "refund"))?;
    Ok(json!(refund))
}

pub fn list(state: &mut State, request: &ApiRequest) -> Result<Value, ApiError> {
    let intent = request.form.text("payment_intent");
    let charge = request.form.text("charge");
    let refunds = state.refunds.iter().filter(|refund| {
        intent.is_none_or(|intent| refund.payment_intent.as_deref() == Some(intent))
            && charge.is_none_or(|charge| refund.charge == charge)
    });
    pagination::page(request, refunds, |refund| &refund.id)
}
