//! Codes that hand a session over to another client.

use std::time::Duration;

use types::ConsumerId;

/// A code that was just created. Only its hash is stored.
#[derive(Debug)]
pub struct HandOverCode {
    pub code: String,
    pub expires_after: Duration,
}

/// Command to exchange a code for a session.
#[derive(Debug, Clone)]
pub struct ExchangeHandOverCode {
    pub code: String,
    /// The consumer who is signed in on the device.
    pub current_consumer: Option<ConsumerId>,
    /// Whether the session may belong to another consumer than the current one.
    pub replaces_consumer: bool,
    /// Empty if unknown.
    pub device_id: String,
    pub user_agent: String,
}
