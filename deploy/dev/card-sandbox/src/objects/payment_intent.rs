//! The payment intent object.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Metadata;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    RequiresPaymentMethod,
    RequiresConfirmation,
    RequiresAction,
    Processing,
    RequiresCapture,
    Canceled,
    Succeeded,
}

impl std::fmt::Display for PaymentStatus {
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

/// Whether a step, capture or confirmation, happens by itself or by a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepMode {
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
    pub capture_method: StepMode,
    pub client_secret: String,
    pub confirmation_method: StepMode,
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
    pub status: PaymentStatus,
    pub transfer_group: Option<String>,
}
