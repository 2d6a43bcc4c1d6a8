//! Giving up a payment: what was authorised is released.

use serde_json::Value;

use super::{PaymentIntent, Status, known, unexpected};
use crate::books::Books;
use crate::call::{Call, Cause};
use crate::refusal::Refusal;
use crate::resources::events;

const CANCELABLE: [Status; 4] = [
    Status::RequiresPaymentMethod,
    Status::RequiresCapture,
    Status::RequiresConfirmation,
    Status::RequiresAction,
];

/// `POST /v1/payment_intents/{id}/cancel`
pub fn cancel(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let reason = call.form.text("cancellation_reason");
    let intent = known(books, call.id())?;
    if !CANCELABLE.contains(&intent.status) {
        return Err(unexpected(&intent, "cancel", &CANCELABLE));
    }
    Ok(give_up(books, &call.cause, intent, reason))
}

/// An authorization that nobody captured in time: the provider cancels it by itself.
///
/// # Errors
/// When nothing is authorised.
pub fn expire(books: &mut Books, cause: &Cause, id: &str) -> Result<Value, Refusal> {
    let intent = known(books, id)?;
    if intent.status != Status::RequiresCapture {
        return Err(unexpected(&intent, "expire", &[Status::RequiresCapture]));
    }
    Ok(give_up(books, cause, intent, Some("automatic")))
}

fn give_up(books: &mut Books, cause: &Cause, mut intent: PaymentIntent, reason: Option<&str>) -> Value {
    let held = intent.status == Status::RequiresCapture;
    intent.status = Status::Canceled;
    intent.amount_capturable = 0;
    intent.canceled_at = Some(cause.now());
    intent.cancellation_reason = reason.map(ToOwned::to_owned);
    intent.next_action = None;
    books.put(intent.clone());
    let charge = intent
        .latest_charge
        .as_deref()
        .and_then(|id| books.charges.get(id))
        .cloned();
    if let Some(mut charge) = charge.filter(|_| held) {
        charge.refunded = true;
        charge.amount_refunded = charge.amount;
        books.put(charge.clone());
        let kind = if reason == Some("automatic") {
            "charge.expired"
        } else {
            "charge.refunded"
        };
        events::emit(books, cause, kind, &charge);
    }
    events::emit(books, cause, "payment_intent.canceled", &intent)
}
