//! Calls for operators, with keys of their own.

use axum::extract::State;
use proto::ordering::v1 as ordering;

use crate::error::ApiError;
use crate::extract::{OperatorCaller, PathId};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::order_timeline::OrderTimeline;

/// Returns what all services recorded about an order: status, charges, effects, postings, and events with their delivery.
/// Contains ids and amounts, and no data of the consumer. Services that do not respond are named in `notRead`.
#[utoipa::path(get, path = "/store-api/operator/orders/{id}/timeline", tag = "operators", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<OrderTimeline>)))]
pub(crate) async fn get_order_timeline(
    State(gateway): State<Gateway>,
    OperatorCaller(context): OperatorCaller,
    PathId(order_id): PathId,
) -> Result<ApiResponse<OrderTimeline>, ApiError> {
    let request = ordering::GetOrderTimelineRequest { order_id };
    let mut client = gateway.clients.ordering(&context);
    let timeline = client.get_order_timeline(request).await?;
    Ok(ApiResponse::new(timeline.into_inner().into()))
}
