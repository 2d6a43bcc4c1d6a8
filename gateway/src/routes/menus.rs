//! A store's menu.

use axum::extract::State;
use proto::stores::v1 as stores;

use crate::caller::Call;
use crate::envelope::{ApiError, ApiResponse, Cacheable};
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::types::menu::{CategoryList, Menu, MenuQuery};
use crate::types::store_query::StoreQuery;

/// The categories, in order.
#[utoipa::path(get, path = "/api/consumer/store/menu/categories", tag = "menu", params(StoreQuery),
    responses((status = 200, body = ApiResponse<CategoryList>)))]
pub async fn list_categories(
    State(gateway): State<Gateway>,
    call: Call,
    Query(query): Query<StoreQuery>,
) -> Result<Cacheable<CategoryList>, ApiError> {
    let request = stores::ListCategoriesRequest {
        store_id: query.store_id,
    };
    let list = gateway.clients.stores(&call).list_categories(request).await?;
    Ok(Cacheable::public(list.into_inner().into()))
}

/// The menu, or one category of it.
#[utoipa::path(get, path = "/api/consumer/store/menu", tag = "menu", params(MenuQuery),
    responses((status = 200, body = ApiResponse<Menu>)))]
pub async fn list_menu(
    State(gateway): State<Gateway>,
    call: Call,
    Query(query): Query<MenuQuery>,
) -> Result<Cacheable<Menu>, ApiError> {
    let category_id = query.category_id.unwrap_or_default();
    let request = stores::ListMenuRequest {
        store_id: query.store_id,
        category_id,
    };
    let menu = gateway.clients.stores(&call).list_menu(request).await?;
    Ok(Cacheable::public(menu.into_inner().into()))
}
