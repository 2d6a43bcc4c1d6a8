//! Coming for an order.

use axum::extract::State;
use proto::ordering::v1 as ordering;

use crate::caller::Consumer;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract::Body;
use crate::gateway::Gateway;
use crate::types::order::{Order, UserArrivedRequest};

/// "I'm here": tells the store.
#[utoipa::path(post, path = "/api/consumer/order/user-arrived", tag = "orders",
    request_body = UserArrivedRequest, responses((status = 200, body = ApiResponse<Order>)))]
pub async fn user_arrived(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<UserArrivedRequest>,
) -> Result<ApiResponse<Order>, ApiError> {
    let vehicle = request.vehicle.unwrap_or_default();
    let request = ordering::UserArrivedRequest {
        order_id: request.order_id,
        vehicle,
    };
    let order = gateway
        .clients
        .ordering(&consumer.call)
        .user_arrived(request)
        .await?;
    Ok(ApiResponse::new(order.into_inner().into()))
}
