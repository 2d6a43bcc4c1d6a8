//! The dispute object.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Metadata;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisputeStatus {
    NeedsResponse,
    Lost,
}

/// A dispute, as the API shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Dispute {
    pub id: String,
    pub object: String,
    pub amount: i64,
    pub balance_transactions: Vec<Value>,
    pub charge: String,
    pub created: i64,
    pub currency: String,
    pub enhanced_eligibility_types: Vec<String>,
    pub evidence: Value,
    pub evidence_details: Value,
    pub is_charge_refundable: bool,
    pub livemode: bool,
    pub metadata: Metadata,
    pub payment_intent: Option<String>,
    pub reason: String,
    pub status: DisputeStatus,
}
