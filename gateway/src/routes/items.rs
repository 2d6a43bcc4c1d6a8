//! Menu items.

use axum::extract::State;
use proto::stores::v1::GetItemRequest;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::public_reads::PublicResponse;
use crate::response::ApiResponse;
use crate::types::item::{Item, ItemQuery, ModificationList, SizeList};

/// Returns an item with its sizes and modifications.
#[utoipa::path(get, path = "/api/consumer/item/details", tag = "menu", params(ItemQuery),
    responses((status = 200, body = ApiResponse<Item>)))]
pub(crate) async fn get_item(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<ItemQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = GetItemRequest::from(query);
    gateway.public_reads.get::<_, Item>(&context, request).await
}

/// Lists the sizes of an item.
#[utoipa::path(get, path = "/api/consumer/item/sizes", tag = "menu", params(ItemQuery),
    responses((status = 200, body = ApiResponse<SizeList>)))]
pub(crate) async fn list_sizes(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<ItemQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = GetItemRequest::from(query);
    gateway.public_reads.get::<_, SizeList>(&context, request).await
}

/// Lists the modifications of an item.
#[utoipa::path(get, path = "/api/consumer/item/modifications", tag = "menu", params(ItemQuery),
    responses((status = 200, body = ApiResponse<ModificationList>)))]
pub(crate) async fn list_modifications(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<ItemQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = GetItemRequest::from(query);
    gateway
        .public_reads
        .get::<_, ModificationList>(&context, request)
        .await
}
