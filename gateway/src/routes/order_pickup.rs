//! Pickup of orders.

use axum::extract::State;
use proto::ordering::v1 as ordering;

use crate::error::ApiError;
use crate::extract::{Body, Consumer};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::order::{Order, UserArrivedRequest};

/// Notifies the store that the consumer has arrived.
#[utoipa::path(post, path = "/api/consumer/order/user-arrived", tag = "orders",
    request_body = UserArrivedRequest, responses((status = 200, body = ApiResponse<Order>)))]
pub(crate) async fn user_arrived(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<UserArrivedRequest>,
) -> Result<ApiResponse<Order>, ApiError> {
    let request = ordering::UserArrivedRequest {
        order_id: request.order_id,
        vehicle: request.vehicle.unwrap_or_default(),
    };
    let mut client = gateway.clients.ordering(&consumer.context);
    let order = client.user_arrived(request).await?;
    Ok(ApiResponse::new(order.into_inner().try_into()?))
}
