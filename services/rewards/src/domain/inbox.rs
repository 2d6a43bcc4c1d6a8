//! Messages in a consumer's inbox.

use jiff::Timestamp;
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
