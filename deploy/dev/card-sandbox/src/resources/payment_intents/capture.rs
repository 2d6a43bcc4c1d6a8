//! Capture of an authorised amount, whole or in part; the rest is released.

use serde_json::Value;

use super::{Status, known, unexpected};
use crate::books::Books;
use crate::call::Call;
use crate::refusal::Refusal;
use crate::resources::events;

/// `POST /v1/payment_intents/{id}/capture`
pub fn capture(books: &mut Books, call: &Call) -> Result<Value, Refusal> {
    let mut intent = known(books, call.id())?;
    if intent.status != Status::RequiresCapture {
        return Err(unexpected(&intent, "capture", &[Status::RequiresCapture]));
    }
    let amount = call
        .form
        .integer("amount_to_capture")?
        .unwrap_or(intent.amount_capturable);
    if !(1..=intent.amount_capturable).contains(&amount) {
        let message = format!(
            "The amount_to_capture must be between 1 and the capturable amount ({}).",
            intent.amount_capturable
        );
        return Err(Refusal::parameter(
            "amount_too_large",
            "amount_to_capture",
            message,
        ));
    }
    intent.status = Status::Succeeded;
    intent.amount_received = amount;
    intent.amount_capturable = 0;
    books.put(intent.clone());
    if let Some(mut charge) = intent
        .latest_charge
        .as_deref()
        .and_then(|id| books.charges.get(id))
        .cloned()
    {
        charge.captured = true;
        charge.amount_captured = amount;
        charge.amount_refunded = charge.amount - amount;
        books.put(charge.clone());
        events::emit(books, &call.cause, "charge.captured", &charge);
    }
    Ok(events::emit(
        books,
        &call.cause,
        "payment_intent.succeeded",
        &intent,
    ))
}
