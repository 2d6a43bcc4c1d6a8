//! The store API: the figures of today and the load of the next hour.

use axum::extract::State;
use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;

use crate::error::ApiError;
use crate::extract::{PathId, StoreCaller};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::store_figures::{StoreLoad, StoreSummary};

/// Returns what a store made today: orders, kept promises, waits and items. Contains no amounts.
#[utoipa::path(get, path = "/store-api/stores/{id}/summary", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<StoreSummary>)))]
pub(crate) async fn get_store_summary(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
) -> Result<ApiResponse<StoreSummary>, ApiError> {
    let request = ordering::GetStoreSummaryRequest { store_id };
    let summary = gateway
        .clients
        .ordering(&context)
        .get_store_summary(request)
        .await?;
    Ok(ApiResponse::new(summary.into_inner().into()))
}

/// Returns the reserved make time of the next hour, by slot.
#[utoipa::path(get, path = "/store-api/stores/{id}/load", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<StoreLoad>)))]
pub(crate) async fn get_load(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
) -> Result<ApiResponse<StoreLoad>, ApiError> {
    let request = stores::GetLoadRequest { store_id };
    let load = gateway.clients.store_settings(&context).get_load(request).await?;
    Ok(ApiResponse::new(load.into_inner().into()))
}
