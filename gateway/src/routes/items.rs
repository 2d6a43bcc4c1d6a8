//! One item of a menu, and what can be chosen.

use axum::extract::State;
use proto::stores::v1 as stores;

use crate::caller::Call;
use crate::envelope::ApiResponse;
use crate::envelope::{ApiError, Cacheable};
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::types::item::{Item, ItemQuery, ModificationList, SizeList};

/// An item with sizes, groups and choices.
#[utoipa::path(get, path = "/api/consumer/item/details", tag = "menu", params(ItemQuery),
    responses((status = 200, body = ApiResponse<Item>)))]
pub async fn get_item(
    State(gateway): State<Gateway>,
    call: Call,
    Query(query): Query<ItemQuery>,
) -> Result<Cacheable<Item>, ApiError> {
    Ok(Cacheable::public(ask(&gateway, &call, query).await?))
}

/// The sizes of an item.
#[utoipa::path(get, path = "/api/consumer/item/sizes", tag = "menu", params(ItemQuery),
    responses((status = 200, body = ApiResponse<SizeList>)))]
pub async fn list_sizes(
    State(gateway): State<Gateway>,
    call: Call,
    Query(query): Query<ItemQuery>,
) -> Result<Cacheable<SizeList>, ApiError> {
    Ok(Cacheable::public(SizeList {
        sizes: ask(&gateway, &call, query).await?.sizes,
    }))
}

/// The groups of choices of an item.
#[utoipa::path(get, path = "/api/consumer/item/modifications", tag = "menu", params(ItemQuery),
    responses((status = 200, body = ApiResponse<ModificationList>)))]
pub async fn list_modifications(
    State(gateway): State<Gateway>,
    call: Call,
    Query(query): Query<ItemQuery>,
) -> Result<Cacheable<ModificationList>, ApiError> {
    let modifications = ask(&gateway, &call, query).await?.modifications;
    Ok(Cacheable::public(ModificationList { modifications }))
}

async fn ask(gateway: &Gateway, call: &Call, query: ItemQuery) -> Result<Item, ApiError> {
    let request = stores::GetItemRequest {
        store_id: query.store_id,
        item_id: query.item_id,
    };
    Ok(gateway
        .clients
        .stores(call)
        .get_item(request)
        .await?
        .into_inner()
        .into())
}
