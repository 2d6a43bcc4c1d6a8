//! The consumer's usual items.

use axum::extract::State;
use proto::stores::v1 as stores;

use crate::error::ApiError;
use crate::extract::{Body, Consumer, Query};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::EmptyResponse;
use crate::types::usual_item::{
    AddUsualItemRequest, DeleteUsualItemRequest, UsualItem, UsualItemList, UsualItemsQuery,
};

/// Lists the consumer's usual items with their current prices.
#[utoipa::path(get, path = "/api/consumer/store/usual-items", tag = "menu", params(UsualItemsQuery),
    responses((status = 200, body = ApiResponse<UsualItemList>)))]
pub(crate) async fn list_usual_items(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Query(query): Query<UsualItemsQuery>,
) -> Result<ApiResponse<UsualItemList>, ApiError> {
    let request = stores::ListUsualItemsRequest {
        store_id: query.store_id.unwrap_or_default(),
    };
    let mut client = gateway.clients.stores(&consumer.context);
    let items = client.list_usual_items(request).await?;
    Ok(ApiResponse::new(items.into_inner().try_into()?))
}

/// Saves an item with its customization. Saving the same customization again returns the saved item.
///
/// Reasons: `ITEM_UNKNOWN`, `SIZE_UNKNOWN`, `CHOICE_UNKNOWN`, `CHOICE_LIMIT`, `NOTE_TOO_LONG`, `NAME_INVALID`,
/// `USUAL_ITEM_LIMIT`.
#[utoipa::path(post, path = "/api/consumer/item/add-usual-item", tag = "menu",
    request_body = AddUsualItemRequest, responses((status = 200, body = ApiResponse<UsualItem>)))]
pub(crate) async fn add_usual_item(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<AddUsualItemRequest>,
) -> Result<ApiResponse<UsualItem>, ApiError> {
    let request = stores::AddUsualItemRequest::from(request);
    let mut client = gateway.clients.stores(&consumer.context);
    let item = client.add_usual_item(request).await?;
    Ok(ApiResponse::new(item.into_inner().try_into()?))
}

/// Deletes a usual item.
///
/// Reason `USUAL_ITEM_UNKNOWN` if the consumer does not have it.
#[utoipa::path(post, path = "/api/consumer/item/delete-usual-item", tag = "menu",
    request_body = DeleteUsualItemRequest, responses((status = 200, body = ApiResponse<EmptyResponse>)))]
pub(crate) async fn delete_usual_item(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    Body(request): Body<DeleteUsualItemRequest>,
) -> Result<ApiResponse<EmptyResponse>, ApiError> {
    let request = stores::DeleteUsualItemRequest {
        usual_item_id: request.usual_item_id,
    };
    let mut client = gateway.clients.stores(&consumer.context);
    client.delete_usual_item(request).await?;
    Ok(ApiResponse::new(EmptyResponse {}))
}
