//! Payment intents: one attempt after another to take one amount, until it is taken or given up.

mod cancel;
mod capture;
mod charge;
mod confirm;
mod create;
mod find;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::metadata::Metadata;
use crate::books::Books;
use crate::refusal::Refusal;

pub use cancel::{cancel, expire};
pub use capture::capture;
pub use charge::{charge, fail};
pub use confirm::confirm;
pub use create::create;
pub use find::{list, retrieve, search, update};

/// Where a payment stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    RequiresPaymentMethod,
    RequiresConfirmation,
    RequiresAction,
    Processing,
    RequiresCapture,
    Canceled,
    Succeeded,
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::RequiresPaymentMethod => "requires_payment_method",
            Self::RequiresConfirmation => "requires_confirmation",
            Self::RequiresAction => "requires_action",
            Self::Processing => "processing",
            Self::RequiresCapture => "requires_capture",
            Self::Canceled => "canceled",
            Self::Succeeded => "succeeded",
        })
    }
}

/// Who decides when the money is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    Automatic,
    AutomaticAsync,
    Manual,
}

/// A payment intent, as the API shows it. Amounts are in minor units.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PaymentIntent {
    pub id: String,
    pub object: String,
    pub amount: i64,
    pub amount_capturable: i64,
    pub amount_received: i64,
    pub automatic_payment_methods: Option<Value>,
    pub canceled_at: Option<i64>,
    pub cancellation_reason: Option<String>,
    pub capture_method: Way,
    pub client_secret: String,
    pub confirmation_method: Way,
    pub created: i64,
    pub currency: String,
    pub customer: Option<String>,
    pub description: Option<String>,
    pub last_payment_error: Option<Value>,
    pub latest_charge: Option<String>,
    pub livemode: bool,
    pub metadata: Metadata,
    pub next_action: Option<Value>,
    pub payment_method: Option<String>,
    pub payment_method_types: Vec<String>,
    pub receipt_email: Option<String>,
    pub setup_future_usage: Option<String>,
    pub statement_descriptor: Option<String>,
    pub statement_descriptor_suffix: Option<String>,
    pub status: Status,
    pub transfer_group: Option<String>,
}

fn known(books: &Books, id: &str) -> Result<PaymentIntent, Refusal> {
    books
        .payment_intents
        .get(id)
        .cloned()
        .ok_or_else(|| Refusal::missing("payment_intent", id, "intent"))
}

/// "You cannot capture this PaymentIntent because it has a status of canceled."
fn unexpected(intent: &PaymentIntent, verb: &str, allowed: &[Status]) -> Refusal {
    let allowed: Vec<String> = allowed.iter().map(ToString::to_string).collect();
    let message = format!(
        "You cannot {verb} this PaymentIntent because it has a status of {}. Only a PaymentIntent with one of the \
         following statuses may be {}: {}.",
        intent.status,
        if verb == "cancel" {
            "canceled".to_owned()
        } else {
            format!("{verb}{}", past_ending(verb))
        },
        allowed.join(", "),
    );
    Refusal::unexpected_state("payment_intent_unexpected_state", message)
        .with("payment_intent", json!(intent))
}

fn past_ending(verb: &str) -> &'static str {
    if verb.ends_with('e') { "d" } else { "ed" }
}
