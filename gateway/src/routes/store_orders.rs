//! What stores' own systems do: work the queue, pause and resume.

use axum::extract::State;
use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;

use crate::caller::StoreSystem;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract::{Body, PathPart, Query};
use crate::gateway::Gateway;
use crate::types::store::Store;
use crate::types::store_api::{QueueQuery, RejectOrderRequest, StoreOrder, StoreQueue};

/// The orders to do something about, soonest promise first.
#[utoipa::path(get, path = "/store-api/queue", tag = "store-api", params(QueueQuery),
    responses((status = 200, body = ApiResponse<StoreQueue>)))]
pub async fn list_queue(
    State(gateway): State<Gateway>,
    StoreSystem(call): StoreSystem,
    Query(query): Query<QueueQuery>,
) -> Result<ApiResponse<StoreQueue>, ApiError> {
    let request = ordering::ListQueueRequest {
        store_id: query.store_id.unwrap_or_default(),
    };
    let queue = gateway.clients.ordering(&call).list_queue(request).await?;
    Ok(ApiResponse::new(queue.into_inner().into()))
}

/// Says yes to an order. Its money is taken.
#[utoipa::path(post, path = "/store-api/orders/{id}/accept", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub async fn accept_order(
    State(gateway): State<Gateway>,
    StoreSystem(call): StoreSystem,
    PathPart(order_id): PathPart,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let order = gateway
        .clients
        .ordering(&call)
        .accept_order(ordering::StoreOrderRequest { order_id })
        .await?;
    Ok(ApiResponse::new(order.into_inner().into()))
}

/// Starts making it.
#[utoipa::path(post, path = "/store-api/orders/{id}/start", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub async fn start_order(
    State(gateway): State<Gateway>,
    StoreSystem(call): StoreSystem,
    PathPart(order_id): PathPart,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let order = gateway
        .clients
        .ordering(&call)
        .start_order(ordering::StoreOrderRequest { order_id })
        .await?;
    Ok(ApiResponse::new(order.into_inner().into()))
}

/// It stands on the counter.
#[utoipa::path(post, path = "/store-api/orders/{id}/ready", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub async fn mark_ready(
    State(gateway): State<Gateway>,
    StoreSystem(call): StoreSystem,
    PathPart(order_id): PathPart,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let order = gateway
        .clients
        .ordering(&call)
        .mark_ready(ordering::StoreOrderRequest { order_id })
        .await?;
    Ok(ApiResponse::new(order.into_inner().into()))
}

/// It was picked up.
#[utoipa::path(post, path = "/store-api/orders/{id}/complete", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub async fn complete_order(
    State(gateway): State<Gateway>,
    StoreSystem(call): StoreSystem,
    PathPart(order_id): PathPart,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let order = gateway
        .clients
        .ordering(&call)
        .complete_order(ordering::StoreOrderRequest { order_id })
        .await?;
    Ok(ApiResponse::new(order.into_inner().into()))
}

/// Says no to an order. Everything that it holds is given back.
#[utoipa::path(post, path = "/store-api/orders/{id}/reject", tag = "store-api", params(("id" = String, Path)),
    request_body = RejectOrderRequest, responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub async fn reject_order(
    State(gateway): State<Gateway>,
    StoreSystem(call): StoreSystem,
    PathPart(order_id): PathPart,
    Body(request): Body<RejectOrderRequest>,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let request = ordering::RejectOrderRequest {
        order_id,
        reason: request.reason,
    };
    let order = gateway.clients.ordering(&call).reject_order(request).await?;
    Ok(ApiResponse::new(order.into_inner().into()))
}

/// Takes no orders ahead for now.
#[utoipa::path(post, path = "/store-api/stores/{id}/pause", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<Store>)))]
pub async fn pause_store(
    State(gateway): State<Gateway>,
    StoreSystem(call): StoreSystem,
    PathPart(store_id): PathPart,
) -> Result<ApiResponse<Store>, ApiError> {
    let request = stores::PauseStoreRequest {
        store_id,
        paused: true,
    };
    Ok(ApiResponse::new(
        gateway
            .clients
            .stores(&call)
            .pause_store(request)
            .await?
            .into_inner()
            .into(),
    ))
}

/// Takes orders ahead again.
#[utoipa::path(post, path = "/store-api/stores/{id}/resume", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<Store>)))]
pub async fn resume_store(
    State(gateway): State<Gateway>,
    StoreSystem(call): StoreSystem,
    PathPart(store_id): PathPart,
) -> Result<ApiResponse<Store>, ApiError> {
    let request = stores::PauseStoreRequest {
        store_id,
        paused: false,
    };
    Ok(ApiResponse::new(
        gateway
            .clients
            .stores(&call)
            .pause_store(request)
            .await?
            .into_inner()
            .into(),
    ))
}
