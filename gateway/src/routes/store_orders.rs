//! The store API: orders and pausing.

use axum::extract::State;
use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::{Body, OptionalBody, PathId, Query, StoreCaller};
use crate::gateway::Gateway;
use crate::public_reads::StoreChange;
use crate::response::ApiResponse;
use crate::types::store::Store;
use crate::types::store_api::{
    DelayOrderRequest, QueueQuery, RejectOrderRequest, RescheduleOrderRequest, ScheduledOrderList, StoreQueue,
};
use crate::types::store_order::StoreOrder;
use crate::types::store_settings::PauseStoreRequest;

const DEFAULT_TAKE: u32 = 100;

/// Lists a page of the orders that the store has to act on: new orders first.
#[utoipa::path(get, path = "/store-api/queue", tag = "store-api", params(QueueQuery),
    responses((status = 200, body = ApiResponse<StoreQueue>)))]
pub(crate) async fn list_queue(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    Query(query): Query<QueueQuery>,
) -> Result<ApiResponse<StoreQueue>, ApiError> {
    let request = ordering::ListQueueRequest {
        take: query.page().with_default(DEFAULT_TAKE)?.take,
        store_id: query.store_id.unwrap_or_default(),
        cursor: query.cursor.unwrap_or_default(),
    };
    let queue = gateway.clients.ordering(&context).list_queue(request).await?;
    Ok(ApiResponse::new(queue.into_inner().try_into()?))
}

/// Returns an order, also after it has ended.
#[utoipa::path(get, path = "/store-api/orders/{id}", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub(crate) async fn get_store_order(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(order_id): PathId,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let request = ordering::StoreOrderRequest { order_id };
    let mut client = gateway.clients.ordering(&context);
    let order = client.get_store_order(request).await?;
    Ok(ApiResponse::new(order.into_inner().try_into()?))
}

/// Accepts an order. The payment is captured.
#[utoipa::path(post, path = "/store-api/orders/{id}/accept", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub(crate) async fn accept_order(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(order_id): PathId,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let request = ordering::StoreOrderRequest { order_id };
    let order = gateway.clients.ordering(&context).accept_order(request).await?;
    Ok(ApiResponse::new(order.into_inner().try_into()?))
}

/// Starts making an order.
#[utoipa::path(post, path = "/store-api/orders/{id}/start", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub(crate) async fn start_order(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(order_id): PathId,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let request = ordering::StoreOrderRequest { order_id };
    let order = gateway.clients.ordering(&context).start_order(request).await?;
    Ok(ApiResponse::new(order.into_inner().try_into()?))
}

/// Marks an order as ready for pickup.
#[utoipa::path(post, path = "/store-api/orders/{id}/ready", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub(crate) async fn mark_ready(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(order_id): PathId,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let request = ordering::StoreOrderRequest { order_id };
    let order = gateway.clients.ordering(&context).mark_ready(request).await?;
    Ok(ApiResponse::new(order.into_inner().try_into()?))
}

/// Completes an order that was picked up.
#[utoipa::path(post, path = "/store-api/orders/{id}/complete", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub(crate) async fn complete_order(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(order_id): PathId,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let request = ordering::StoreOrderRequest { order_id };
    let order = gateway.clients.ordering(&context).complete_order(request).await?;
    Ok(ApiResponse::new(order.into_inner().try_into()?))
}

/// Rejects an order. The payment is released or refunded.
#[utoipa::path(post, path = "/store-api/orders/{id}/reject", tag = "store-api", params(("id" = String, Path)),
    request_body = RejectOrderRequest, responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub(crate) async fn reject_order(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(order_id): PathId,
    Body(request): Body<RejectOrderRequest>,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let request = ordering::RejectOrderRequest {
        order_id,
        reason: request.reason,
    };
    let order = gateway.clients.ordering(&context).reject_order(request).await?;
    Ok(ApiResponse::new(order.into_inner().try_into()?))
}

/// Promises a later time for an order that is not ready. The consumer is notified immediately. Repeating a time changes nothing.
/// Reasons of 422: `DELAY_INVALID` (no time, both, or too late), `DELAY_NOT_LATER`, `PICKUP_TIME_TOO_LATE` (the
/// payment expires before that time), `REASON_TOO_LONG`.
#[utoipa::path(post, path = "/store-api/orders/{id}/delay", tag = "store-api", params(("id" = String, Path)),
    request_body = DelayOrderRequest, responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub(crate) async fn delay_order(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(order_id): PathId,
    Body(request): Body<DelayOrderRequest>,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let request = ordering::DelayOrderRequest {
        order_id,
        ready_at: request.ready_at.unwrap_or_default(),
        minutes: request.minutes.unwrap_or_default(),
        reason: request.reason.unwrap_or_default(),
    };
    let order = gateway.clients.ordering(&context).delay_order(request).await?;
    Ok(ApiResponse::new(order.into_inner().try_into()?))
}

/// Lists the scheduled orders of a store, by promised time. Those outside its opening hours are marked.
#[utoipa::path(get, path = "/store-api/stores/{id}/scheduled-orders", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<ScheduledOrderList>)))]
pub(crate) async fn list_scheduled_orders(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
) -> Result<ApiResponse<ScheduledOrderList>, ApiError> {
    let request = ordering::ListScheduledOrdersRequest { store_id };
    let mut client = gateway.clients.ordering(&context);
    let orders = client.list_scheduled_orders(request).await?;
    Ok(ApiResponse::new(orders.into_inner().try_into()?))
}

/// Promises an earlier or later time for a scheduled order. The consumer is notified immediately. Repeating a time changes nothing.
/// Reasons: `PICKUP_TIME_INVALID` (422) if the store is closed at the time, `PICKUP_TIME_TOO_LATE` (422) if the payment expires before it,
/// `SLOT_UNAVAILABLE` (409) if it has no capacity, `ORDER_CHANGED` (409) if another request moves the order. After a 503 the order may still
/// move within seconds, and a repeated request gets `ORDER_CHANGED` until then.
#[utoipa::path(post, path = "/store-api/orders/{id}/reschedule", tag = "store-api", params(("id" = String, Path)),
    request_body = RescheduleOrderRequest, responses((status = 200, body = ApiResponse<StoreOrder>)))]
pub(crate) async fn reschedule_order(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(order_id): PathId,
    Body(request): Body<RescheduleOrderRequest>,
) -> Result<ApiResponse<StoreOrder>, ApiError> {
    let request = ordering::RescheduleOrderRequest {
        order_id,
        ready_at: request.ready_at,
        reason: request.reason.unwrap_or_default(),
    };
    let order = gateway
        .clients
        .ordering(&context)
        .reschedule_order(request)
        .await?;
    Ok(ApiResponse::new(order.into_inner().try_into()?))
}

/// Pauses ordering ahead at a store, until a time or until it is resumed. Without a body, the store pauses for no given reason.
/// Reason of 422: `PAUSE_END_INVALID`.
#[utoipa::path(post, path = "/store-api/stores/{id}/pause", tag = "store-api", params(("id" = String, Path)),
    request_body = PauseStoreRequest, responses((status = 200, body = ApiResponse<Store>)))]
pub(crate) async fn pause_store(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
    OptionalBody(request): OptionalBody<PauseStoreRequest>,
) -> Result<ApiResponse<Store>, ApiError> {
    let reason = request.reason.map(stores::PauseReason::from).unwrap_or_default();
    let request = stores::PauseStoreRequest {
        store_id,
        paused: true,
        reason: reason.into(),
        until: request.until.unwrap_or_default(),
    };
    set_paused(&gateway, &context, request).await
}

/// Resumes ordering ahead at a store.
#[utoipa::path(post, path = "/store-api/stores/{id}/resume", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<Store>)))]
pub(crate) async fn resume_store(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
) -> Result<ApiResponse<Store>, ApiError> {
    let request = stores::PauseStoreRequest {
        store_id,
        ..Default::default()
    };
    set_paused(&gateway, &context, request).await
}

async fn set_paused(
    gateway: &Gateway,
    context: &CallContext,
    request: stores::PauseStoreRequest,
) -> Result<ApiResponse<Store>, ApiError> {
    let store_id = request.store_id.clone();
    let store = gateway.clients.stores(context).pause_store(request).await?;
    // So that the change is visible before its event arrives.
    gateway
        .public_reads
        .invalidate_store(&store_id, StoreChange::Status);
    Ok(ApiResponse::new(store.into_inner().try_into()?))
}
