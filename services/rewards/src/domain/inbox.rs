//! Messages in a consumer's inbox.

use jiff::{SignedDuration, Timestamp};
use types::{ConsumerId, MessageId, OrderId};

use super::notification::Notification;

/// A message to add to an inbox.
#[derive(Debug, Clone)]
pub struct NewMessage {
    pub consumer_id: ConsumerId,
    /// Idempotency key, unique per consumer.
    pub reference: String,
    pub notification: Notification,
    pub order_id: Option<OrderId>,
    /// When the reported event happened.
    pub at: Timestamp,
    /// The promised time of an order that was moved or ended. Without the notification the consumer may come at a wrong time,
    /// so it is sent until then, if it was requested while the event was recent.
    pub useful_until: Option<Timestamp>,
}

/// Age of an event after which its message is only added to the inbox, for example after an outage.
const MAX_SEND_AGE: SignedDuration = SignedDuration::from_hours(24);

impl NewMessage {
    #[must_use]
    pub fn is_recent(&self, now: Timestamp) -> bool {
        now.duration_since(self.at) <= MAX_SEND_AGE
    }
}

#[derive(Debug, Clone)]
pub struct InboxMessage {
    pub id: MessageId,
    /// Type of message, for code: `order_ready`.
    pub kind: String,
    pub title: String,
    pub body: String,
    pub order_id: Option<OrderId>,
    pub at: Timestamp,
    pub is_seen: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageCounts {
    pub total: u32,
    pub unseen: u32,
}

/// A page of the inbox, and the counts of all its messages.
#[derive(Debug, Clone)]
pub struct InboxPage {
    pub messages: Vec<InboxMessage>,
    pub counts: MessageCounts,
}
