//! Stores that the consumer marks.

use axum::extract::State;
use proto::stores::v1 as stores;

use crate::caller::Consumer;
use crate::envelope::{ApiError, ApiResponse};
use crate::extract::Body;
use crate::gateway::Gateway;
use crate::types::store::{Favorite, FavoriteRequest};

/// Marks a store.
#[utoipa::path(post, path = "/api/consumer/store/favorite", tag = "stores",
    request_body = FavoriteRequest, responses((status = 200, body = ApiResponse<Favorite>)))]
pub async fn favorite_store(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<FavoriteRequest>,
) -> Result<ApiResponse<Favorite>, ApiError> {
    let request = stores::FavoriteStoreRequest {
        store_id: request.store_id,
    };
    let marked = gateway
        .clients
        .stores(&consumer.call)
        .favorite_store(request)
        .await?
        .into_inner();
    Ok(ApiResponse::new(Favorite {
        favorite: marked.favorite,
    }))
}

/// Takes the mark away.
#[utoipa::path(post, path = "/api/consumer/store/unfavorite", tag = "stores",
    request_body = FavoriteRequest, responses((status = 200, body = ApiResponse<Favorite>)))]
pub async fn unfavorite_store(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<FavoriteRequest>,
) -> Result<ApiResponse<Favorite>, ApiError> {
    let request = stores::FavoriteStoreRequest {
        store_id: request.store_id,
    };
    let marked = gateway
        .clients
        .stores(&consumer.call)
        .unfavorite_store(request)
        .await?
        .into_inner();
    Ok(ApiResponse::new(Favorite {
        favorite: marked.favorite,
    }))
}
