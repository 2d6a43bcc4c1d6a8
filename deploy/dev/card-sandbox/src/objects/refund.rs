//! The refund object.

use serde::{Deserialize, Serialize};

use super::Metadata;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatus {
    Pending,
    Succeeded,
    /// The consumer's bank did not accept it.
    Failed,
}

/// A refund, as the API shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Refund {
    pub id: String,
    pub object: String,
    pub amount: i64,
    pub charge: String,
    pub created: i64,
    pub currency: String,
    pub failure_reason: Option<String>,
    pub metadata: Metadata,
    pub payment_intent: Option<String>,
    pub reason: Option<String>,
    pub status: RefundStatus,
}
