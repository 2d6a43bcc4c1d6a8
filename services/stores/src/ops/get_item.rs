//! Returns an item of a store's menu with its sizes and modifications.

use std::sync::Arc;

use types::{ItemId, StoreId};

use super::store_menu::{StoreMenuError, load_store_menu};
use crate::{Stores, domain::store_menu::StoreItem};

/// # Errors
/// [`StoreMenuError::ItemUnknown`] if the item is not on the store's menu.
pub(crate) async fn get_item(
    cx: &Stores,
    store_id: StoreId,
    item_id: ItemId,
) -> Result<StoreItem, StoreMenuError> {
    let store_menu = load_store_menu(cx, store_id).await?;
    let item = store_menu
        .menu
        .item(item_id)
        .map(Arc::clone)
        .ok_or(StoreMenuError::ItemUnknown)?;
    Ok(StoreItem { item, store_menu })
}
