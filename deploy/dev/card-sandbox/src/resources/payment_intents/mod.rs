//! Payment intents: attempts to charge one amount until one succeeds or the intent is canceled.

mod cancel;
mod capture;
mod charge;
mod confirm;
mod create;
mod parameters;
mod read;
mod update;

use serde_json::json;

use crate::api_error::ApiError;
use crate::objects::{PaymentIntent, PaymentStatus};
use crate::state::State;

pub use cancel::{cancel, expire};
pub use capture::capture;
pub use charge::charge;
pub use confirm::confirm;
pub use create::create;
pub use read::{list, retrieve, search};
pub use update::update;

fn load(state: &State, id: &str) -> Result<PaymentIntent, ApiError> {
    state
        .payment_intents
        .get(id)
        .cloned()
        .ok_or_else(|| ApiError::missing("payment_intent", id, "intent"))
}

/// Returns the error for an operation that the intent's status does not allow.
fn unexpected_status(intent: &PaymentIntent, verb: &str, allowed: &[PaymentStatus]) -> ApiError {
    let allowed: Vec<String> = allowed.iter().map(ToString::to_string).collect();
    let message = format!(
        "You cannot {verb} this PaymentIntent because it has a status of {}. Only a PaymentIntent with one of the \
         following statuses may be {}: {}.",
        intent.status,
        past_participle(verb),
        allowed.join(", "),
    );
    ApiError::unexpected_state("payment_intent_unexpected_state", message)
        .with("payment_intent", json!(intent))
}

fn past_participle(verb: &str) -> String {
    let ending = if verb.ends_with('e') { "d" } else { "ed" };
    format!("{verb}{ending}")
}
