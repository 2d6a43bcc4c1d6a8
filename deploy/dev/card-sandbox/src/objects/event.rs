//! The event object.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An event, as the API shows it and as webhooks contain it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Event {
    pub id: String,
    pub object: String,
    pub api_version: String,
    pub created: i64,
    pub data: EventData,
    pub livemode: bool,
    pub pending_webhooks: i64,
    pub request: EventSource,
    #[serde(rename = "type")]
    pub event_type: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EventData {
    /// The object as it was right after the event.
    pub object: Value,
}

/// The request that caused an event. Both fields are empty if the sandbox caused it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EventSource {
    pub id: Option<String>,
    pub idempotency_key: Option<String>,
}
