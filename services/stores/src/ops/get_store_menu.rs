//! Returns the menu of a store as its staff see it.

use types::StoreId;

use super::store_menu::{StoreMenuError, load_store_menu};
use crate::{Stores, domain::store_menu::StoreMenu};

pub(crate) async fn get_store_menu(cx: &Stores, store_id: StoreId) -> Result<StoreMenu, StoreMenuError> {
    load_store_menu(cx, store_id).await
}
