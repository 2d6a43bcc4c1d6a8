//! The cart that the server keeps.

use axum::extract::State;
use proto::ordering::v1 as ordering;

use crate::caller::Consumer;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract::Body;
use crate::gateway::Gateway;
use crate::types::cart::{SaveCartRequest, SavedCart};

/// The cart as last saved.
#[utoipa::path(get, path = "/api/consumer/user/cart", tag = "cart", responses((status = 200, body = ApiResponse<SavedCart>)))]
pub async fn get_cart(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<SavedCart>, ApiError> {
    let saved = gateway
        .clients
        .ordering(&consumer.call)
        .get_cart(ordering::GetCartRequest {})
        .await?;
    Ok(ApiResponse::new(saved.into_inner().into()))
}

/// Keeps a cart. One without lines takes the kept one away.
#[utoipa::path(post, path = "/api/consumer/user/save-cart", tag = "cart",
    request_body = SaveCartRequest, responses((status = 200, body = ApiResponse<SavedCart>)))]
pub async fn save_cart(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<SaveCartRequest>,
) -> Result<ApiResponse<SavedCart>, ApiError> {
    let request = ordering::SaveCartRequest {
        cart: Some(request.cart.into()),
    };
    let saved = gateway
        .clients
        .ordering(&consumer.call)
        .save_cart(request)
        .await?;
    Ok(ApiResponse::new(saved.into_inner().into()))
}
