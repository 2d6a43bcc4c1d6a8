//! The inbox.

use proto::rewards::v1 as rewards;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{convert_all, non_empty};

/// A page of the inbox.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Inbox {
    /// Newest first.
    pub(crate) messages: Vec<InboxMessage>,
    /// Number of unseen messages on all pages.
    pub(crate) unseen: u32,
    /// Number of messages on all pages.
    pub(crate) total: u32,
}

impl From<rewards::ListInboxResponse> for Inbox {
    fn from(list: rewards::ListInboxResponse) -> Self {
        Self {
            messages: convert_all(list.messages),
            unseen: list.unseen,
            total: list.total,
        }
    }
}

/// An inbox message.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InboxMessage {
    pub(crate) message_id: String,
    /// For example `points_earned`, `order_ready`, `welcome`.
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) body: String,
    #[schema(format = DateTime)]
    pub(crate) at: String,
    pub(crate) seen: bool,
    /// The order that the message is about.
    #[schema(required)]
    pub(crate) order_id: Option<String>,
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
            order_id: non_empty(message.order_id),
        }
    }
}

/// Marks messages as seen.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MarkAsSeenRequest {
    /// All messages if empty or absent.
    #[serde(default)]
    pub(crate) message_ids: Vec<String>,
}

/// Removes messages.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RemoveMessagesRequest {
    pub(crate) message_ids: Vec<String>,
}

/// The inbox after a change.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct InboxState {
    /// Number of unseen messages.
    pub(crate) unseen: u32,
}

impl From<rewards::InboxState> for InboxState {
    fn from(state: rewards::InboxState) -> Self {
        Self { unseen: state.unseen }
    }
}
