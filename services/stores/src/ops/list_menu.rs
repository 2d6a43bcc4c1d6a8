//! Lists the items of a store's menu.

use types::{CategoryId, StoreId};

use super::store_menu::{StoreMenuError, load_store_menu};
use crate::{Stores, domain::store_menu::StoreMenu};

/// # Errors
/// [`StoreMenuError::CategoryUnknown`] if a category is given that is not on the menu.
pub(crate) async fn list_menu(
    cx: &Stores,
    store_id: StoreId,
    category_id: Option<CategoryId>,
) -> Result<StoreMenu, StoreMenuError> {
    let store_menu = load_store_menu(cx, store_id).await?;
    if category_id.is_none_or(|id| store_menu.menu.has_category(id)) {
        Ok(store_menu)
    } else {
        Err(StoreMenuError::CategoryUnknown)
    }
}
