//! The setup intent object.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Metadata;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetupStatus {
    RequiresPaymentMethod,
    RequiresConfirmation,
    RequiresAction,
    Canceled,
    Succeeded,
}

/// A setup intent, as the API shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SetupIntent {
    pub id: String,
    pub object: String,
    pub cancellation_reason: Option<String>,
    pub client_secret: String,
    pub created: i64,
    pub customer: Option<String>,
    pub description: Option<String>,
    pub last_setup_error: Option<Value>,
    pub livemode: bool,
    /// The authorization of debits, for bank accounts.
    #[serde(default)]
    pub mandate: Option<String>,
    pub metadata: Metadata,
    pub next_action: Option<Value>,
    pub payment_method: Option<String>,
    pub payment_method_types: Vec<String>,
    pub status: SetupStatus,
    pub usage: String,
}
