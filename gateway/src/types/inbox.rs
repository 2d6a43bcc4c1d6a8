//! Messages to the consumer.

use proto::rewards::v1 as rewards;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::present;

/// A page of the inbox.
#[derive(Debug, Serialize, ToSchema)]
pub struct Inbox {
    /// Newest first.
    pub messages: Vec<InboxMessage>,
    /// Not seen yet, in all.
    pub unseen: u32,
    /// In all.
    pub total: u32,
}

impl From<rewards::ListInboxResponse> for Inbox {
    fn from(list: rewards::ListInboxResponse) -> Self {
        Self {
            messages: list.messages.into_iter().map(InboxMessage::from).collect(),
            unseen: list.unseen,
            total: list.total,
        }
    }
}

/// One message.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxMessage {
    /// Its id.
    pub message_id: String,
    /// For code: points_earned, order_ready, welcome.
    pub kind: String,
    /// A few words.
    pub title: String,
    /// A sentence or two.
    pub body: String,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
    /// Opened.
    pub seen: bool,
    /// The order that it is about.
    #[schema(required)]
    pub order_id: Option<String>,
}

impl From<rewards::InboxMessage> for InboxMessage {
    fn from(message: rewards::InboxMessage) -> Self {
        Self {
            message_id: message.message_id,
            kind: message.kind,
            title: message.title,
            body: message.body,
            at: message.at,
            seen: message.seen,
            order_id: present(message.order_id),
        }
    }
}

/// Messages that were seen.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarkAsSeenRequest {
    /// All of them where empty or absent.
    #[serde(default)]
    pub message_ids: Vec<String>,
}

/// Messages to remove.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemoveMessagesRequest {
    /// These.
    pub message_ids: Vec<String>,
}

/// The inbox after a change.
#[derive(Debug, Serialize, ToSchema)]
pub struct InboxState {
    /// Not seen yet, in all.
    pub unseen: u32,
}

impl From<rewards::InboxState> for InboxState {
    fn from(state: rewards::InboxState) -> Self {
        Self { unseen: state.unseen }
    }
}
