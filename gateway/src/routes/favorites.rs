//! The consumer's favorite stores.

use axum::extract::State;
use proto::stores::v1 as stores;

use crate::error::ApiError;
use crate::extract::{Body, Consumer};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::store::{Favorite, FavoriteRequest};

/// Adds a store to the favorites.
#[utoipa::path(post, path = "/api/consumer/store/favorite", tag = "stores",
    request_body = FavoriteRequest, responses((status = 200, body = ApiResponse<Favorite>)))]
pub(crate) async fn favorite_store(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<FavoriteRequest>,
) -> Result<ApiResponse<Favorite>, ApiError> {
    let request = stores::FavoriteStoreRequest {
        store_id: request.store_id,
    };
    let mut client = gateway.clients.stores(&consumer.context);
    let response = client.favorite_store(request).await?;
    Ok(ApiResponse::new(response.into_inner().into()))
}

/// Removes a store from the favorites.
#[utoipa::path(post, path = "/api/consumer/store/unfavorite", tag = "stores",
    request_body = FavoriteRequest, responses((status = 200, body = ApiResponse<Favorite>)))]
pub(crate) async fn unfavorite_store(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<FavoriteRequest>,
) -> Result<ApiResponse<Favorite>, ApiError> {
    let request = stores::FavoriteStoreRequest {
        store_id: request.store_id,
    };
    let mut client = gateway.clients.stores(&consumer.context);
    let response = client.unfavorite_store(request).await?;
    Ok(ApiResponse::new(response.into_inner().into()))
}
