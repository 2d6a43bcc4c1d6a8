//! Menu items.

use axum::extract::State;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::response::{ApiResponse, CacheableResponse};
use crate::types::item::{Item, ItemQuery, ModificationList, SizeList};

/// Returns an item with its sizes and modifications.
#[utoipa::path(get, path = "/api/consumer/item/details", tag = "menu", params(ItemQuery),
    responses((status = 200, body = ApiResponse<Item>)))]
pub(crate) async fn get_item(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<ItemQuery>,
) -> Result<CacheableResponse<Item>, ApiError> {
    let item = fetch_item(&gateway, &context, query).await?;
    Ok(CacheableResponse::public(item))
}

/// Lists the sizes of an item.
#[utoipa::path(get, path = "/api/consumer/item/sizes", tag = "menu", params(ItemQuery),
    responses((status = 200, body = ApiResponse<SizeList>)))]
pub(crate) async fn list_sizes(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<ItemQuery>,
) -> Result<CacheableResponse<SizeList>, ApiError> {
    let Item { sizes, .. } = fetch_item(&gateway, &context, query).await?;
    Ok(CacheableResponse::public(SizeList { sizes }))
}

/// Lists the modifications of an item.
#[utoipa::path(get, path = "/api/consumer/item/modifications", tag = "menu", params(ItemQuery),
    responses((status = 200, body = ApiResponse<ModificationList>)))]
pub(crate) async fn list_modifications(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<ItemQuery>,
) -> Result<CacheableResponse<ModificationList>, ApiError> {
    let Item { modifications, .. } = fetch_item(&gateway, &context, query).await?;
    Ok(CacheableResponse::public(ModificationList { modifications }))
}

async fn fetch_item(gateway: &Gateway, context: &CallContext, query: ItemQuery) -> Result<Item, ApiError> {
    let item = gateway
        .clients
        .stores(context)
        .get_item(proto::stores::v1::GetItemRequest::from(query))
        .await?;
    Ok(item.into_inner().try_into()?)
}
