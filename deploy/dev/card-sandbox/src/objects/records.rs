//! Records of the sandbox that are not objects of the API.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A completed authentication: the intent may charge this payment method.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PassedAuthentication {
    pub intent: String,
    pub payment_method: String,
}

/// A bank's decision on a debit or refund, made at `at_ms`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ScheduledDecision {
    /// The id of the payment intent or refund.
    pub object: String,
    pub at_ms: i64,
    pub done: bool,
}

/// The first response that was sent under an idempotency key.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StoredResponse {
    pub key: String,
    /// Method and path of the first request.
    pub endpoint: String,
    /// Digest of the parameters.
    pub parameters: String,
    pub status: u16,
    pub body: Value,
    /// The id of the first request.
    pub request: String,
    pub at_ms: i64,
}

impl StoredResponse {
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}
