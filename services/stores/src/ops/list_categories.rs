//! Lists the categories of a store's menu.

use types::StoreId;

use super::store_menu::{StoreMenuError, load_store_menu};
use crate::{Stores, domain::store_menu::StoreMenu};

pub(crate) async fn list_categories(cx: &Stores, store_id: StoreId) -> Result<StoreMenu, StoreMenuError> {
    load_store_menu(cx, store_id).await
}
