//! The charge object.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{BillingDetails, Metadata};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChargeStatus {
    Succeeded,
    Pending,
    Failed,
}

/// A charge, as the API shows it. Amounts are in minor units.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Charge {
    pub id: String,
    pub object: String,
    pub amount: i64,
    pub amount_captured: i64,
    pub amount_refunded: i64,
    pub billing_details: BillingDetails,
    pub captured: bool,
    pub created: i64,
    pub currency: String,
    pub customer: Option<String>,
    pub description: Option<String>,
    pub disputed: bool,
    pub failure_code: Option<String>,
    pub failure_message: Option<String>,
    pub livemode: bool,
    pub metadata: Metadata,
    pub outcome: Value,
    pub paid: bool,
    pub payment_intent: Option<String>,
    pub payment_method: String,
    pub payment_method_details: Value,
    pub receipt_email: Option<String>,
    pub refunded: bool,
    pub statement_descriptor: Option<String>,
    pub statement_descriptor_suffix: Option<String>,
    pub status: ChargeStatus,
}
