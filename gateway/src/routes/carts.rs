//! The cart saved on the server.

use axum::extract::State;
use proto::ordering::v1 as ordering;

use crate::error::ApiError;
use crate::extract::{Body, Consumer};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::cart::{SaveCartRequest, SavedCart};

/// Returns the saved cart.
#[utoipa::path(get, path = "/api/consumer/user/cart", tag = "cart", responses((status = 200, body = ApiResponse<SavedCart>)))]
pub(crate) async fn get_cart(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<SavedCart>, ApiError> {
    let mut client = gateway.clients.ordering(&consumer.context);
    let saved = client.get_cart(ordering::GetCartRequest {}).await?;
    Ok(ApiResponse::new(saved.into_inner().try_into()?))
}

/// Saves a cart, replacing the saved one. A cart without lines deletes it.
#[utoipa::path(post, path = "/api/consumer/user/save-cart", tag = "cart",
    request_body = SaveCartRequest, responses((status = 200, body = ApiResponse<SavedCart>)))]
pub(crate) async fn save_cart(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<SaveCartRequest>,
) -> Result<ApiResponse<SavedCart>, ApiError> {
    let request = ordering::SaveCartRequest {
        cart: Some(request.cart.into()),
    };
    let mut client = gateway.clients.ordering(&consumer.context);
    let saved = client.save_cart(request).await?;
    Ok(ApiResponse::new(saved.into_inner().try_into()?))
}
