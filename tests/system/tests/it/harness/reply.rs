//! A response of the gateway.

use reqwest::{RequestBuilder, StatusCode};
use serde_json::Value;

/// Status and envelope.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub status: StatusCode,
    pub body: Value,
}

impl Reply {
    /// Sends a request. Panics if the gateway is unreachable.
    pub async fn to(request: RequestBuilder) -> Self {
        Self::try_to(request).await.unwrap()
    }

    /// Sends a request.
    ///
    /// # Errors
    /// If no complete response arrives. The request may have been executed.
    pub async fn try_to(request: RequestBuilder) -> reqwest::Result<Self> {
        let response = request.send().await?;
        let status = response.status();
        let text = response.text().await?;
        let body = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{status}, not JSON: {text:?}"));
        Ok(Self { status, body })
    }

    /// Returns the data; panics on an error.
    pub fn data(&self) -> &Value {
        assert!(
            self.status.is_success() && self.body["success"] == true,
            "{} {}",
            self.status,
            self.body
        );
        &self.body["data"]
    }

    /// Returns the reason of an error with this status; panics on success, or if the error has no sentence for the consumer.
    pub fn error_reason(&self, status: u16) -> &str {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.body["success"], false, "{}", self.body);
        let sentence = self.body["errors"][0].as_str().unwrap_or_default();
        assert!(
            !sentence.is_empty(),
            "no sentence for the consumer: {}",
            self.body
        );
        let reason = self.body["reason"].as_str().unwrap_or_default();
        assert!(!reason.is_empty(), "no reason: {}", self.body);
        reason
    }

    /// Returns whether the client should retry.
    pub fn is_unavailable(&self) -> bool {
        self.status == StatusCode::SERVICE_UNAVAILABLE
    }

    /// Returns the order id; panics on an error.
    pub fn order(&self) -> String {
        self.data()["orderId"].as_str().unwrap().to_owned()
    }

    /// Returns the order status; panics on an error.
    pub fn order_status(&self) -> &str {
        self.data()["status"].as_str().unwrap()
    }
}
