//! The cart saved on the server.

use axum::extract::State;
use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::{Body, Consumer, Query};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::cart::{Cart, CartData, SaveCartRequest, SavedCart};
use crate::types::cart_options::CartOptions;
use crate::types::store::{Store, drawn_picture, store_photo};
use crate::types::store_query::{PickupOptionsQuery, StoreQuery};

/// Returns the saved cart.
#[utoipa::path(get, path = "/api/consumer/user/cart", tag = "cart", responses((status = 200, body = ApiResponse<SavedCart>)))]
pub(crate) async fn get_cart(
    State(gateway): State<Gateway>,
    consumer: Consumer,
) -> Result<ApiResponse<SavedCart>, ApiError> {
    let mut client = gateway.clients.ordering(&consumer.context);
    let saved = client.get_cart(ordering::GetCartRequest {}).await?;
    let mut saved: SavedCart = saved.into_inner().try_into()?;
    if let Some(cart) = &mut saved.cart {
        set_store_photo(&gateway, &consumer, cart).await;
    }
    Ok(ApiResponse::new(saved))
}

/// Returns the cart saved for a store with its current price, and the changes since it was saved. `cart` is null if no cart is
/// saved for the store, also if the store does not exist.
#[utoipa::path(get, path = "/api/consumer/cart/data", tag = "cart", params(StoreQuery),
    responses((status = 200, body = ApiResponse<CartData>)))]
pub(crate) async fn get_cart_data(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<StoreQuery>,
) -> Result<ApiResponse<CartData>, ApiError> {
    let mut request = ordering::GetCartDataRequest {
        store_id: query.store_id,
        ..ordering::GetCartDataRequest::default()
    };
    request.set_journey_step(consumer.journey_step.into());
    let mut client = gateway.clients.ordering(&consumer.context);
    let data = client.get_cart_data(request).await?;
    let mut data: CartData = data.into_inner().try_into()?;
    if let Some(cart) = &mut data.cart {
        match data.quote.as_ref().and_then(|quote| quote.store.as_ref()) {
            Some(store) => cart.store_photo.clone_from(&store.store_photo),
            None => set_store_photo(&gateway, &consumer, cart).await,
        }
    }
    Ok(ApiResponse::new(data))
}

/// Saves a cart, replacing the saved one. A cart without items deletes the saved cart with its `cartId`, or any saved cart if it has no
/// `cartId`. Reasons of errors: `STORE_UNKNOWN` and `TIP_OUT_OF_RANGE`, if the cart can be priced at once.
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
    let mut saved: SavedCart = saved.into_inner().try_into()?;
    if let Some(cart) = &mut saved.cart {
        set_store_photo(&gateway, &consumer, cart).await;
    }
    Ok(ApiResponse::new(saved))
}

/// Sets the picture of the cart's store, which ordering does not have. If the store cannot be read, this is the drawn one.
pub(super) async fn set_store_photo(gateway: &Gateway, consumer: &Consumer, cart: &mut Cart) {
    let request = stores::GetStoreRequest {
        store_id: cart.store_id.clone(),
        position: None,
    };
    let store = gateway.clients.stores(&consumer.context).get_store(request).await;
    cart.store_photo = match store {
        Ok(store) => store_photo(store.get_ref()),
        Err(error) => {
            tracing::debug!(%error, "store of a cart not read");
            drawn_picture(&cart.store_id)
        }
    };
}

/// Returns the pickup times, suggested tips, payment types and limits of a cart at a store.
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
