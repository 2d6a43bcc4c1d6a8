//! Messages to the consumer.

use axum::extract::State;
use kit::{ErrorCode, ServiceError};
use proto::rewards::v1 as rewards;

use crate::caller::Consumer;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract::{Body, Query};
use crate::gateway::Gateway;
use crate::types::PageQuery;
use crate::types::inbox::{Inbox, InboxState, MarkAsSeenRequest, RemoveMessagesRequest};

/// How many unless told (specification section 9).
const USUAL: u32 = 5;

/// A page of messages, newest first.
#[utoipa::path(get, path = "/api/consumer/inbox/list", tag = "inbox", params(PageQuery),
    responses((status = 200, body = ApiResponse<Inbox>)))]
pub async fn list_inbox(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(page): Query<PageQuery>,
) -> Result<ApiResponse<Inbox>, ApiError> {
    let request = rewards::ListInboxRequest {
        page: Some(page.or(USUAL)?),
    };
    let list = gateway
        .clients
        .rewards(&consumer.call)
        .list_inbox(request)
        .await?;
    Ok(ApiResponse::new(list.into_inner().into()))
}

/// Marks messages as seen; all of them where none is named.
#[utoipa::path(post, path = "/api/consumer/inbox/mark-as-seen", tag = "inbox",
    request_body = MarkAsSeenRequest, responses((status = 200, body = ApiResponse<InboxState>)))]
pub async fn mark_inbox_as_seen(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<MarkAsSeenRequest>,
) -> Result<ApiResponse<InboxState>, ApiError> {
    let request = rewards::MarkInboxAsSeenRequest {
        message_ids: request.message_ids,
    };
    let state = gateway
        .clients
        .rewards(&consumer.call)
        .mark_inbox_as_seen(request)
        .await?;
    Ok(ApiResponse::new(state.into_inner().into()))
}

/// Removes messages.
#[utoipa::path(post, path = "/api/consumer/inbox/remove", tag = "inbox",
    request_body = RemoveMessagesRequest, responses((status = 200, body = ApiResponse<InboxState>)))]
pub async fn remove_from_inbox(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<RemoveMessagesRequest>,
) -> Result<ApiResponse<InboxState>, ApiError> {
    if request.message_ids.is_empty() {
        let message = "Which messages? Name at least one.";
        return Err(
            ServiceError::new(ErrorCode::RuleViolation, "MESSAGES_REQUIRED", message)
                .with_field("messageIds")
                .into(),
        );
    }
    let request = rewards::RemoveFromInboxRequest {
        message_ids: request.message_ids,
    };
    let state = gateway
        .clients
        .rewards(&consumer.call)
        .remove_from_inbox(request)
        .await?;
    Ok(ApiResponse::new(state.into_inner().into()))
}
