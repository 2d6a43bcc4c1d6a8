//! Menu items.

use axum::extract::State;
use proto::stores::v1::{GetItemRequest, GetModificationChoiceRequest, GetModificationRequest};

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::public_reads::PublicResponse;
use crate::response::ApiResponse;
use crate::types::item::{Item, ItemQuery, ModificationList, SizeList};
use crate::types::offered_modification::{
    ModificationChoiceQuery, ModificationQuery, OfferedChoice, OfferedModification,
};

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

/// Returns one modification of the item that has a size, with the prices of the size.
///
/// Reasons: `STORE_UNKNOWN`, `SIZE_UNKNOWN`, `MODIFICATION_UNKNOWN`.
#[utoipa::path(get, path = "/api/consumer/item/modification", tag = "menu", params(ModificationQuery),
    responses((status = 200, body = ApiResponse<OfferedModification>)))]
pub(crate) async fn get_modification(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<ModificationQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = GetModificationRequest::from(query);
    gateway
        .public_reads
        .get::<_, OfferedModification>(&context, request)
        .await
}

/// Returns one choice of a modification, with the price of a size.
///
/// Reasons: `STORE_UNKNOWN`, `SIZE_UNKNOWN`, `MODIFICATION_UNKNOWN`, `CHOICE_UNKNOWN`.
#[utoipa::path(get, path = "/api/consumer/item/modification-choice", tag = "menu", params(ModificationChoiceQuery),
    responses((status = 200, body = ApiResponse<OfferedChoice>)))]
pub(crate) async fn get_modification_choice(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<ModificationChoiceQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = GetModificationChoiceRequest::from(query);
    gateway
        .public_reads
        .get::<_, OfferedChoice>(&context, request)
        .await
}
