//! What takes its time: bank debits that settle or come back, and refunds to bank accounts.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::books::Books;
use crate::call::Cause;
use crate::clock;
use crate::nature::{Decline, Settlement};
use crate::refusal::Refusal;
use crate::resources::payment_intents::{PaymentIntent, Status};
use crate::resources::{disputes, events, payment_methods, refunds};
use crate::sandbox::Sandbox;

/// Something that is decided at a later time.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Due {
    /// The payment intent or refund.
    pub object: String,
    pub at_ms: i64,
    pub done: bool,
}

/// Decides this payment intent or refund once the bank has had its time.
pub fn expect(books: &mut Books, cause: &Cause, object: &str) {
    books.put(Due {
        object: object.to_owned(),
        at_ms: cause.now_ms + cause.settle_after_ms,
        done: false,
    });
}

/// Decides what is due, for ever.
pub async fn work(sandbox: Arc<Sandbox>) {
    const LOOK_EVERY: Duration = Duration::from_millis(100);
    while sandbox
        .stopping
        .run_until_cancelled(tokio::time::sleep(LOOK_EVERY))
        .await
        .is_some()
    {
        let now_ms = clock::now_ms();
        let due: Vec<String> = sandbox.read(|books| {
            let ripe = books.dues.iter().filter(|due| !due.done && due.at_ms <= now_ms);
            ripe.map(|due| due.object.clone()).collect()
        });
        for object in due {
            let cause = sandbox.cause(None, None);
            sandbox.change(|books| decide(books, &cause, &object));
        }
    }
}

fn decide(books: &mut Books, cause: &Cause, object: &str) {
    close(books, object);
    if !object.starts_with("pi_") {
        return refunds::arrive(books, cause, object);
    }
    let method = books
        .payment_intents
        .get(object)
        .and_then(|intent| intent.payment_method.clone());
    let result = match payment_methods::nature(books, &method.unwrap_or_default()).settlement {
        Settlement::Settles => settle(books, cause, object).map(drop),
        Settlement::Returns(code) => send_back(books, cause, object, &code).map(drop),
        Settlement::SettlesThenDisputed => settle(books, cause, object)
            .and_then(|_| send_back(books, cause, object, "debit_not_authorized"))
            .map(drop),
        Settlement::Never => Ok(()),
    };
    if let Err(refusal) = result {
        tracing::warn!(object, error = %refusal.body(), "what was due could not be decided");
    }
}

fn close(books: &mut Books, object: &str) {
    if let Some(due) = books.dues.get(object).cloned() {
        books.put(Due { done: true, ..due });
    }
}

/// The money of a debit arrives.
///
/// # Errors
/// When the payment is not in processing.
pub fn settle(books: &mut Books, cause: &Cause, id: &str) -> Result<PaymentIntent, Refusal> {
    let mut intent = known(books, id)?;
    if intent.status != Status::Processing {
        return Err(not_now(&intent));
    }
    close(books, id);
    intent.status = Status::Succeeded;
    intent.amount_received = intent.amount;
    books.put(intent.clone());
    if let Some(mut charge) = intent
        .latest_charge
        .as_deref()
        .and_then(|id| books.charges.get(id))
        .cloned()
    {
        charge.status = "succeeded".into();
        charge.paid = true;
        books.put(charge.clone());
        events::emit(books, cause, "charge.succeeded", &charge);
    }
    events::emit(books, cause, "payment_intent.succeeded", &intent);
    Ok(intent)
}

/// A debit comes back: in processing the payment fails; after it had settled, the bank disputes it and wins.
///
/// # Errors
/// When there is nothing that could come back.
pub fn send_back(books: &mut Books, cause: &Cause, id: &str, code: &str) -> Result<PaymentIntent, Refusal> {
    let mut intent = known(books, id)?;
    let charge = intent.latest_charge.clone().unwrap_or_default();
    if intent.status == Status::Succeeded && charge.starts_with("py_") {
        return disputes::open(books, cause, &charge, code)
            .map(|_| intent.clone())
            .ok_or_else(|| not_now(&intent));
    }
    if intent.status != Status::Processing {
        return Err(not_now(&intent));
    }
    close(books, id);
    let decline = Decline::of_bank(code);
    let method = intent
        .payment_method
        .take()
        .and_then(|id| books.payment_methods.get(&id))
        .cloned();
    let error = decline
        .refusal()
        .with("charge", charge.as_str())
        .with("payment_method", json!(method));
    intent.status = Status::RequiresPaymentMethod;
    intent.last_payment_error = Some(error.error());
    books.put(intent.clone());
    if let Some(mut charge) = books.charges.get(&charge).cloned() {
        charge.status = "failed".into();
        charge.captured = false;
        charge.amount_captured = 0;
        charge.failure_code = Some(decline.code);
        charge.failure_message = Some(decline.message);
        books.put(charge.clone());
        events::emit(books, cause, "charge.failed", &charge);
    }
    events::emit(books, cause, "payment_intent.payment_failed", &intent);
    Ok(intent)
}

fn known(books: &Books, id: &str) -> Result<PaymentIntent, Refusal> {
    books
        .payment_intents
        .get(id)
        .cloned()
        .ok_or_else(|| Refusal::missing("payment_intent", id, "intent"))
}

fn not_now(intent: &PaymentIntent) -> Refusal {
    Refusal::invalid(format!(
        "{} is {}, so no bank decides on it now.",
        intent.id, intent.status
    ))
}
