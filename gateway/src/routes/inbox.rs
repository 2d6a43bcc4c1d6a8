//! The consumer's inbox.

use axum::extract::State;
use kit::ErrorCode;
use proto::rewards::v1 as rewards;

use crate::error::ApiError;
use crate::extract::{Body, Consumer, Query};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::inbox::{Inbox, InboxState, MarkAsSeenRequest, RemoveMessagesRequest};
use crate::types::page::PageQuery;

/// Specification section 9.
const DEFAULT_TAKE: u32 = 5;

/// Lists messages, newest first.
#[utoipa::path(get, path = "/api/consumer/inbox/list", tag = "inbox", params(PageQuery),
    responses((status = 200, body = ApiResponse<Inbox>)))]
pub(crate) async fn list_inbox(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(page): Query<PageQuery>,
) -> Result<ApiResponse<Inbox>, ApiError> {
    let request = rewards::ListInboxRequest {
        page: Some(page.with_default(DEFAULT_TAKE)?),
    };
    let mut client = gateway.clients.rewards(&consumer.context);
    let inbox = client.list_inbox(request).await?;
    Ok(ApiResponse::new(inbox.into_inner().into()))
}

/// Marks messages as seen, or all messages if none is given.
#[utoipa::path(post, path = "/api/consumer/inbox/mark-as-seen", tag = "inbox",
    request_body = MarkAsSeenRequest, responses((status = 200, body = ApiResponse<InboxState>)))]
pub(crate) async fn mark_inbox_as_seen(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<MarkAsSeenRequest>,
) -> Result<ApiResponse<InboxState>, ApiError> {
    let request = rewards::MarkInboxAsSeenRequest {
        message_ids: request.message_ids,
    };
    let mut client = gateway.clients.rewards(&consumer.context);
    let state = client.mark_inbox_as_seen(request).await?;
    Ok(ApiResponse::new(state.into_inner().into()))
}

/// Removes messages.
#[utoipa::path(post, path = "/api/consumer/inbox/remove", tag = "inbox",
    request_body = RemoveMessagesRequest, responses((status = 200, body = ApiResponse<InboxState>)))]
pub(crate) async fn remove_from_inbox(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<RemoveMessagesRequest>,
) -> Result<ApiResponse<InboxState>, ApiError> {
    if request.message_ids.is_empty() {
        let message = "Please choose a message.";
        let error = ApiError::new(ErrorCode::RuleViolation, "MESSAGES_REQUIRED", message);
        return Err(error.with_field("messageIds"));
    }
    let request = rewards::RemoveFromInboxRequest {
        message_ids: request.message_ids,
    };
    let mut client = gateway.clients.rewards(&consumer.context);
    let state = client.remove_from_inbox(request).await?;
    Ok(ApiResponse::new(state.into_inner().into()))
}
