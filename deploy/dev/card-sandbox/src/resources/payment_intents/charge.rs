//! One attempt to take the money, and what its outcome makes of the intent.

use serde_json::json;

use super::{PaymentIntent, Status, Way};
use crate::books::Books;
use crate::call::Cause;
use crate::nature::{Decline, Nature};
use crate::refusal::Refusal;
use crate::resources::charges::{self, Attempt};
use crate::resources::payment_methods::{self, PaymentMethod};
use crate::resources::{disputes, events, instruments};
use crate::settlement;

/// Charges a payment method that needs no further authentication.
///
/// # Errors
/// The decline, which the intent then carries as its last error.
pub fn charge(
    books: &mut Books,
    cause: &Cause,
    intent: PaymentIntent,
    method: &PaymentMethod,
) -> Result<PaymentIntent, Refusal> {
    let nature = payment_methods::nature(books, &method.id);
    let expired = method
        .card
        .as_ref()
        .is_some_and(|card| instruments::expired(card, cause.now()));
    let decline = if expired {
        Some(Decline::named("expired_card"))
    } else {
        nature.on_charge.clone()
    };
    match decline {
        Some(decline) => Err(fail(books, cause, intent, method, &decline)),
        None if method.us_bank_account.is_some() => debit(books, cause, intent, method),
        None => approve(books, cause, intent, method, &nature),
    }
}

fn approve(
    books: &mut Books,
    cause: &Cause,
    mut intent: PaymentIntent,
    method: &PaymentMethod,
    nature: &Nature,
) -> Result<PaymentIntent, Refusal> {
    let captured = intent.capture_method != Way::Manual;
    let attempt = if captured {
        Attempt::Captured
    } else {
        Attempt::Authorised
    };
    let charge = charges::open(books, cause, &intent, method, &attempt);
    intent.latest_charge = Some(charge.id.clone());
    intent.last_payment_error = None;
    intent.next_action = None;
    if captured {
        intent.status = Status::Succeeded;
        intent.amount_received = intent.amount;
    } else {
        intent.status = Status::RequiresCapture;
        intent.amount_capturable = intent.amount;
    }
    books.put(intent.clone());
    keep_for_later(books, cause, &intent, method)?;
    let event = if captured {
        "payment_intent.succeeded"
    } else {
        "payment_intent.amount_capturable_updated"
    };
    events::emit(books, cause, "charge.succeeded", &charge);
    events::emit(books, cause, event, &intent);
    if nature.disputed {
        disputes::open(books, cause, &charge.id, "fraudulent");
    }
    Ok(intent)
}

fn debit(
    books: &mut Books,
    cause: &Cause,
    mut intent: PaymentIntent,
    method: &PaymentMethod,
) -> Result<PaymentIntent, Refusal> {
    let charge = charges::open(books, cause, &intent, method, &Attempt::Pending);
    intent.latest_charge = Some(charge.id.clone());
    intent.last_payment_error = None;
    intent.next_action = None;
    intent.status = Status::Processing;
    books.put(intent.clone());
    keep_for_later(books, cause, &intent, method)?;
    settlement::expect(books, cause, &intent.id);
    events::emit(books, cause, "charge.pending", &charge);
    events::emit(books, cause, "payment_intent.processing", &intent);
    Ok(intent)
}

/// `setup_future_usage` attaches the payment method to the customer.
fn keep_for_later(
    books: &mut Books,
    cause: &Cause,
    intent: &PaymentIntent,
    method: &PaymentMethod,
) -> Result<(), Refusal> {
    let (Some(_), Some(customer)) = (&intent.setup_future_usage, &intent.customer) else {
        return Ok(());
    };
    let nature = payment_methods::nature(books, &method.id);
    books.put(Nature {
        set_up: true,
        ..nature
    });
    payment_methods::attach_to(books, cause, method.clone(), customer).map(drop)
}

/// Notes a failed attempt: a failed charge, the error on the intent, and the payment method taken off it.
/// Gives the answer for the caller.
pub fn fail(
    books: &mut Books,
    cause: &Cause,
    mut intent: PaymentIntent,
    method: &PaymentMethod,
    decline: &Decline,
) -> Refusal {
    let charge = charges::open(books, cause, &intent, method, &Attempt::Failed(decline.clone()));
    let refusal = decline
        .refusal()
        .with("charge", charge.id.as_str())
        .with("payment_method", json!(method));
    intent.latest_charge = Some(charge.id.clone());
    intent.last_payment_error = Some(refusal.error());
    intent.next_action = None;
    intent.payment_method = None;
    intent.status = Status::RequiresPaymentMethod;
    books.put(intent.clone());
    events::emit(books, cause, "charge.failed", &charge);
    events::emit(books, cause, "payment_intent.payment_failed", &intent);
    refusal.with("payment_intent", json!(intent))
}
