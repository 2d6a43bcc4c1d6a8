//! The state of a webhook delivery.

use serde::{Deserialize, Serialize};

const MAX_ATTEMPTS: u32 = 40;

/// The delivery of one event.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Delivery {
    pub event: String,
    pub attempts: u32,
    pub delivered: bool,
    /// The status of the last response, or the error if there was no response.
    pub last: Option<String>,
}

impl Delivery {
    pub fn new(event: &str) -> Self {
        Self {
            event: event.to_owned(),
            attempts: 0,
            delivered: false,
            last: None,
        }
    }

    /// Returns whether another attempt is due.
    pub fn is_pending(&self) -> bool {
        !self.delivered && self.attempts < MAX_ATTEMPTS
    }
}
