//! Menus.

use axum::extract::State;
use proto::stores::v1 as stores;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::public_reads::PublicResponse;
use crate::response::ApiResponse;
use crate::types::menu::{CategoryList, Menu, MenuQuery};
use crate::types::store_query::StoreQuery;

/// Lists the categories of a store's menu.
#[utoipa::path(get, path = "/api/consumer/store/menu/categories", tag = "menu", params(StoreQuery),
    responses((status = 200, body = ApiResponse<CategoryList>)))]
pub(crate) async fn list_categories(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<StoreQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = stores::ListCategoriesRequest {
        store_id: query.store_id,
    };
    gateway
        .public_reads
        .get::<_, CategoryList>(&context, request)
        .await
}

/// Returns a store's menu, or one category of it.
#[utoipa::path(get, path = "/api/consumer/store/menu", tag = "menu", params(MenuQuery),
    responses((status = 200, body = ApiResponse<Menu>)))]
pub(crate) async fn list_menu(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<MenuQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = stores::ListMenuRequest {
        store_id: query.store_id,
        category_id: query.category_id.unwrap_or_default(),
    };
    gateway.public_reads.get::<_, Menu>(&context, request).await
}
