//! Points and rewards.

use axum::extract::State;
use proto::rewards::v1 as rewards;

use crate::error::ApiError;
use crate::extract::{Consumer, Query};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::convert_all;
use crate::types::page::PageQuery;
use crate::types::rewards::{Points, Rewards};

const DEFAULT_TAKE: u32 = 20;

/// Returns the points balance and the rewards that points can be exchanged for.
#[utoipa::path(get, path = "/api/consumer/user/points", tag = "rewards",
    responses((status = 200, body = ApiResponse<Points>)))]
pub(crate) async fn get_points(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<Points>, ApiError> {
    let mut client = gateway.clients.rewards(&consumer.context);
    let points = client.get_points(points_request(&consumer)).await?;
    Ok(ApiResponse::new(points.into_inner().into()))
}

/// The journey step determines how many points orders earn.
pub(super) fn points_request(consumer: &Consumer) -> rewards::GetPointsRequest {
    let mut request = rewards::GetPointsRequest::default();
    request.set_journey_step(consumer.journey_step.into());
    request
}

/// Lists the entries of the points ledger, newest first, with the points balance.
#[utoipa::path(get, path = "/api/consumer/user/rewards", tag = "rewards", params(PageQuery),
    responses((status = 200, body = ApiResponse<Rewards>)))]
pub(crate) async fn list_point_entries(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(page): Query<PageQuery>,
) -> Result<ApiResponse<Rewards>, ApiError> {
    let request = rewards::ListPointEntriesRequest {
        page: Some(page.with_default(DEFAULT_TAKE)?),
    };
    let mut client = gateway.clients.rewards(&consumer.context);
    let mut points_client = client.clone();
    let (points, list) = tokio::try_join!(
        points_client.get_points(points_request(&consumer)),
        client.list_point_entries(request)
    )?;
    Ok(ApiResponse::new(Rewards {
        points: points.into_inner().into(),
        entries: convert_all(list.into_inner().entries),
    }))
}
