//! Active and past orders.

use axum::extract::State;
use kit::parse_optional_id;
use proto::ordering::v1 as ordering;
use types::OrderId;

use super::carts::set_store_photo;
use super::provider_script::attach_provider_script;
use crate::error::ApiError;
use crate::extract::{Consumer, Query};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::order::{ActiveOrder, ActiveOrderQuery, ConsumerQuery, Order, OrderList, OrderQuery};
use crate::types::page::PageQuery;
use crate::types::place_order::PlacedOrder;
use crate::types::repeated_order::RepeatedOrder;

const DEFAULT_TAKE: u32 = 20;

/// Returns an order of the consumer, with the provider's script if the consumer has to authenticate the payment.
#[utoipa::path(get, path = "/api/consumer/order/status", tag = "orders", params(OrderQuery),
    responses((status = 200, body = ApiResponse<PlacedOrder>)))]
pub(crate) async fn get_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<OrderQuery>,
) -> Result<ApiResponse<PlacedOrder>, ApiError> {
    let order = fetch_order(&gateway, &consumer, query.order_id).await?;
    Ok(ApiResponse::new(
        attach_provider_script(&gateway, &consumer, order).await?,
    ))
}

/// Returns the given order if it is active, or without an id the active order that is promised first. With a day, only an
/// order promised for it.
#[utoipa::path(get, path = "/api/consumer/order/active", tag = "orders", params(ActiveOrderQuery),
    responses((status = 200, body = ApiResponse<ActiveOrder>)))]
pub(crate) async fn get_active_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<ActiveOrderQuery>,
) -> Result<ApiResponse<ActiveOrder>, ApiError> {
    let day = query.override_day.filter(|_| !gateway.http.is_https());
    let order_id: Option<OrderId> = parse_optional_id(&query.order_id.unwrap_or_default(), "orderId")?;
    let order_id = order_id.map(|id| id.to_string());
    let list = fetch_active_orders(&gateway, &consumer, day).await?;
    let is_requested = |order: &Order| order_id.as_ref().is_none_or(|id| order.order_id == *id);
    let order = list.orders.into_iter().find(is_requested);
    Ok(ApiResponse::new(ActiveOrder { order }))
}

/// Lists the active orders: Scheduled to Ready, and orders that wait for the consumer to authenticate the payment.
#[utoipa::path(get, path = "/api/consumer/order/active-orders", tag = "orders", params(ConsumerQuery),
    responses((status = 200, body = ApiResponse<OrderList>)))]
pub(crate) async fn list_active_orders(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<OrderList>, ApiError> {
    let list = fetch_active_orders(&gateway, &consumer, None).await?;
    Ok(ApiResponse::new(list))
}

/// Lists the consumer's orders, newest first.
#[utoipa::path(get, path = "/api/consumer/user/orders", tag = "orders", params(PageQuery),
    responses((status = 200, body = ApiResponse<OrderList>)))]
pub(crate) async fn list_orders(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(page): Query<PageQuery>,
) -> Result<ApiResponse<OrderList>, ApiError> {
    let request = ordering::ListOrdersRequest {
        page: Some(page.with_default(DEFAULT_TAKE)?),
    };
    let mut client = gateway.clients.ordering(&consumer.context);
    let list = client.list_orders(request).await?;
    Ok(ApiResponse::new(list.into_inner().try_into()?))
}

/// Returns the lines of a previous order as a new cart, and the lines that are unavailable.
#[utoipa::path(get, path = "/api/consumer/order/repeat", tag = "orders", params(OrderQuery),
    responses((status = 200, body = ApiResponse<RepeatedOrder>)))]
pub(crate) async fn repeat_order(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<OrderQuery>,
) -> Result<ApiResponse<RepeatedOrder>, ApiError> {
    let request = ordering::RepeatOrderRequest {
        order_id: query.order_id,
    };
    let mut client = gateway.clients.ordering(&consumer.context);
    let repeated = client.repeat_order(request).await?;
    let mut repeated: RepeatedOrder = repeated.into_inner().try_into()?;
    set_store_photo(&gateway, &consumer, &mut repeated.cart).await;
    Ok(ApiResponse::new(repeated))
}

async fn fetch_order(gateway: &Gateway, consumer: &Consumer, order_id: String) -> Result<Order, ApiError> {
    let mut client = gateway.clients.ordering(&consumer.context);
    let order = client.get_order(ordering::GetOrderRequest { order_id }).await?;
    Ok(order.into_inner().try_into()?)
}

async fn fetch_active_orders(
    gateway: &Gateway,
    consumer: &Consumer,
    day: Option<String>,
) -> Result<OrderList, ApiError> {
    let mut client = gateway.clients.ordering(&consumer.context);
    let list = client
        .list_active_orders(ordering::ListActiveOrdersRequest {
            day: day.unwrap_or_default(),
        })
        .await?;
    Ok(list.into_inner().try_into()?)
}
