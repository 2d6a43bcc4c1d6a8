//! The payment method object.

use serde::{Deserialize, Serialize};

use super::{BillingDetails, Card, Metadata, UsBankAccount};

/// A payment method, as the API shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PaymentMethod {
    pub id: String,
    pub object: String,
    pub allow_redisplay: String,
    pub billing_details: BillingDetails,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Card>,
    pub created: i64,
    pub customer: Option<String>,
    pub livemode: bool,
    pub metadata: Metadata,
    #[serde(rename = "type")]
    pub method_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub us_bank_account: Option<UsBankAccount>,
}
