//! Points.

use axum::extract::State;
use proto::rewards::v1 as rewards;

use crate::caller::Consumer;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::types::PageQuery;
use crate::types::rewards::{PointEntry, Points, Rewards};

/// How many unless told.
const USUAL: u32 = 20;

/// Points to spend, and what they can be turned into.
#[utoipa::path(get, path = "/api/consumer/user/points", tag = "rewards", responses((status = 200, body = ApiResponse<Points>)))]
pub async fn get_points(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<Points>, ApiError> {
    let points = gateway
        .clients
        .rewards(&consumer.call)
        .get_points(rewards::GetPointsRequest {})
        .await?;
    Ok(ApiResponse::new(points.into_inner().into()))
}

/// The points ledger, newest first, with the rewards that the points can be turned into.
#[utoipa::path(get, path = "/api/consumer/user/rewards", tag = "rewards", params(PageQuery),
    responses((status = 200, body = ApiResponse<Rewards>)))]
pub async fn list_point_entries(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(page): Query<PageQuery>,
) -> Result<ApiResponse<Rewards>, ApiError> {
    let (mut one, mut other) = (
        gateway.clients.rewards(&consumer.call),
        gateway.clients.rewards(&consumer.call),
    );
    let request = rewards::ListPointEntriesRequest {
        page: Some(page.or(USUAL)?),
    };
    let (points, list) = tokio::try_join!(
        one.get_points(rewards::GetPointsRequest {}),
        other.list_point_entries(request)
    )?;
    let entries = list
        .into_inner()
        .entries
        .into_iter()
        .map(PointEntry::from)
        .collect();
    Ok(ApiResponse::new(Rewards {
        points: points.into_inner().into(),
        entries,
    }))
}
