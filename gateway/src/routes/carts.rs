//! The cart saved on the server.

use axum::extract::State;
use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::{Body, Consumer, Query};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::cart::{CartData, SaveCartRequest, SavedCart};
use crate::types::cart_options::CartOptions;
use crate::types::store::Store;
use crate::types::store_query::{PickupOptionsQuery, StoreQuery};

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

/// Returns the cart saved for a store, priced now, with what changed since it was saved.
#[utoipa::path(get, path = "/api/consumer/cart/data", tag = "cart", params(StoreQuery),
    responses((status = 200, body = ApiResponse<CartData>)))]
pub(crate) async fn get_cart_data(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<StoreQuery>,
) -> Result<ApiResponse<CartData>, ApiError> {
    let request = ordering::GetCartDataRequest {
        store_id: query.store_id,
    };
    let mut client = gateway.clients.ordering(&consumer.context);
    let data = client.get_cart_data(request).await?;
    Ok(ApiResponse::new(data.into_inner().try_into()?))
}

/// Saves a cart, replacing the saved one. A cart without items deletes it.
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

/// Returns what a cart at a store can choose: pickup, tip, payment, and its limits.
#[utoipa::path(get, path = "/api/consumer/store/cart-options", tag = "cart", params(PickupOptionsQuery),
    responses((status = 200, body = ApiResponse<CartOptions>)))]
pub(crate) async fn get_cart_options(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<PickupOptionsQuery>,
) -> Result<ApiResponse<CartOptions>, ApiError> {
    let store_request = stores::GetStoreRequest {
        store_id: query.store_id.clone(),
        position: None,
    };
    let pickup_request = stores::GetPickupOptionsRequest {
        store_id: query.store_id,
        make_seconds: query.make_seconds.unwrap_or_default(),
    };
    let mut client = gateway.clients.stores(&context);
    let mut pickup_client = client.clone();
    let (store, pickup) = futures::try_join!(
        client.get_store(store_request),
        pickup_client.get_pickup_options(pickup_request)
    )?;
    let store = Store::try_from(store.into_inner())?;
    Ok(ApiResponse::new(CartOptions::new(
        &store,
        pickup.into_inner().into(),
    )))
}
