//! What the gateway answered.

use reqwest::{RequestBuilder, StatusCode};
use serde_json::Value;

/// A status and the envelope.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub status: StatusCode,
    pub body: Value,
}

impl Reply {
    /// Sends a request. A gateway that cannot be reached panics.
    pub async fn to(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        let status = response.status();
        let text = response.text().await.unwrap();
        let body = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{status}, and no JSON: {text:?}"));
        Self { status, body }
    }

    /// What was asked for; panics at a refusal.
    pub fn data(&self) -> &Value {
        assert!(
            self.status.is_success() && self.body["success"] == true,
            "{} {}",
            self.status,
            self.body
        );
        &self.body["data"]
    }

    /// Why it was refused; panics where it was not, or where a person is told nothing.
    pub fn refused(&self, status: u16) -> &str {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.body["success"], false, "{}", self.body);
        let told = self.body["errors"][0].as_str().unwrap_or_default();
        assert!(!told.is_empty(), "nothing for the person: {}", self.body);
        let reason = self.body["reason"].as_str().unwrap_or_default();
        assert!(!reason.is_empty(), "nothing for code: {}", self.body);
        reason
    }

    /// Whether to try again: somebody was away.
    pub fn is_away(&self) -> bool {
        self.status == StatusCode::SERVICE_UNAVAILABLE
    }

    /// The order's id; panics at a refusal.
    pub fn order(&self) -> String {
        self.data()["orderId"].as_str().unwrap().to_owned()
    }

    /// The order's status; panics at a refusal.
    pub fn order_status(&self) -> &str {
        self.data()["status"].as_str().unwrap()
    }
}
