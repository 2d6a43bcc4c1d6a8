//! Menus.

use axum::extract::State;
use proto::stores::v1 as stores;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::response::{ApiResponse, CacheableResponse};
use crate::types::menu::{CategoryList, Menu, MenuQuery};
use crate::types::store_query::StoreQuery;

/// Lists the categories of a store's menu.
#[utoipa::path(get, path = "/api/consumer/store/menu/categories", tag = "menu", params(StoreQuery),
    responses((status = 200, body = ApiResponse<CategoryList>)))]
pub(crate) async fn list_categories(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<StoreQuery>,
) -> Result<CacheableResponse<CategoryList>, ApiError> {
    let request = stores::ListCategoriesRequest {
        store_id: query.store_id,
    };
    let list = gateway.clients.stores(&context).list_categories(request).await?;
    Ok(CacheableResponse::public(list.into_inner().into()))
}

/// Returns a store's menu, or one category of it.
#[utoipa::path(get, path = "/api/consumer/store/menu", tag = "menu", params(MenuQuery),
    responses((status = 200, body = ApiResponse<Menu>)))]
pub(crate) async fn list_menu(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<MenuQuery>,
) -> Result<CacheableResponse<Menu>, ApiError> {
    let request = stores::ListMenuRequest {
        store_id: query.store_id,
        category_id: query.category_id.unwrap_or_default(),
    };
    let menu = gateway.clients.stores(&context).list_menu(request).await?;
    Ok(CacheableResponse::public(menu.into_inner().try_into()?))
}
