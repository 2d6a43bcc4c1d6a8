//! Orders that were placed: under way, and earlier ones.

use axum::extract::State;
use kit::ErrorCode;
use proto::ordering::v1 as ordering;

use crate::caller::Consumer;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::types::PageQuery;
use crate::types::cart::RepeatedOrder;
use crate::types::order::{ActiveOrder, ActiveOrderQuery, ConsumerQuery, Order, OrderList, OrderQuery};

/// How many unless told.
const USUAL: u32 = 20;

/// One order of the consumer, whole.
#[utoipa::path(get, path = "/api/consumer/order/status", tag = "orders", params(OrderQuery),
    responses((status = 200, body = ApiResponse<Order>)))]
pub async fn get_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<OrderQuery>,
) -> Result<ApiResponse<Order>, ApiError> {
    Ok(ApiResponse::new(ask(&gateway, &consumer, query.order_id).await?))
}

/// The order under way: the one named, if it still is, or the newest.
#[utoipa::path(get, path = "/api/consumer/order/active", tag = "orders", params(ActiveOrderQuery),
    responses((status = 200, body = ApiResponse<ActiveOrder>)))]
pub async fn get_active_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<ActiveOrderQuery>,
) -> Result<ApiResponse<ActiveOrder>, ApiError> {
    let order = match query.order_id {
        Some(order_id) => match ask(&gateway, &consumer, order_id).await {
            Ok(order) => Some(order).filter(|order| order.status.is_active()),
            Err(refused) if refused.error.code == ErrorCode::NotFound => None,
            Err(refused) => return Err(refused),
        },
        None => ask_active(&gateway, &consumer).await?.orders.into_iter().next(),
    };
    Ok(ApiResponse::new(ActiveOrder { order }))
}

/// Every order under way, Scheduled to Ready.
#[utoipa::path(get, path = "/api/consumer/order/active-orders", tag = "orders", params(ConsumerQuery),
    responses((status = 200, body = ApiResponse<OrderList>)))]
pub async fn list_active_orders(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<OrderList>, ApiError> {
    Ok(ApiResponse::new(ask_active(&gateway, &consumer).await?))
}

/// The consumer's orders, newest first.
#[utoipa::path(get, path = "/api/consumer/user/orders", tag = "orders", params(PageQuery),
    responses((status = 200, body = ApiResponse<OrderList>)))]
pub async fn list_orders(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(page): Query<PageQuery>,
) -> Result<ApiResponse<OrderList>, ApiError> {
    let request = ordering::ListOrdersRequest {
        page: Some(page.or(USUAL)?),
    };
    let list = gateway
        .clients
        .ordering(&consumer.call)
        .list_orders(request)
        .await?;
    Ok(ApiResponse::new(list.into_inner().into()))
}

/// The lines of an earlier order as a new cart, and what is gone or changed.
#[utoipa::path(get, path = "/api/consumer/order/repeat", tag = "orders", params(OrderQuery),
    responses((status = 200, body = ApiResponse<RepeatedOrder>)))]
pub async fn repeat_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<OrderQuery>,
) -> Result<ApiResponse<RepeatedOrder>, ApiError> {
    let request = ordering::RepeatOrderRequest {
        order_id: query.order_id,
    };
    let repeated = gateway
        .clients
        .ordering(&consumer.call)
        .repeat_order(request)
        .await?;
    Ok(ApiResponse::new(repeated.into_inner().into()))
}

async fn ask(gateway: &Gateway, consumer: &Consumer, order_id: String) -> Result<Order, ApiError> {
    let request = ordering::GetOrderRequest { order_id };
    Ok(gateway
        .clients
        .ordering(&consumer.call)
        .get_order(request)
        .await?
        .into_inner()
        .into())
}

async fn ask_active(gateway: &Gateway, consumer: &Consumer) -> Result<OrderList, ApiError> {
    let request = ordering::ListActiveOrdersRequest {};
    Ok(gateway
        .clients
        .ordering(&consumer.call)
        .list_active_orders(request)
        .await?
        .into_inner()
        .into())
}
