//! Returns one modification of an item, with prices at a size.

use types::{ModificationId, SizeId, StoreId};

use super::store_menu::{StoreMenuError, load_store_menu};
use crate::{
    Stores,
    domain::store_menu::{OfferedModification, StoreMenu},
};

/// # Errors
/// [`StoreMenuError::SizeUnknown`] if the store's menu does not have the size, and
/// [`StoreMenuError::ModificationUnknown`] if its item does not have the modification.
pub(crate) async fn get_modification(
    cx: &Stores,
    store_id: StoreId,
    size_id: SizeId,
    modification_id: ModificationId,
) -> Result<OfferedModification, StoreMenuError> {
    let store_menu = load_store_menu(cx, store_id).await?;
    find_modification(store_menu, size_id, modification_id)
}

pub(super) fn find_modification(
    store_menu: StoreMenu,
    size_id: SizeId,
    modification_id: ModificationId,
) -> Result<OfferedModification, StoreMenuError> {
    let menu = &store_menu.menu;
    let (item, _) = menu.item_with_size(size_id).ok_or(StoreMenuError::SizeUnknown)?;
    let is_offered = item
        .modifications
        .iter()
        .any(|offered| offered.modification_id == modification_id);
    if !is_offered || menu.modification(modification_id).is_none() {
        return Err(StoreMenuError::ModificationUnknown);
    }
    Ok(OfferedModification {
        item: item.clone(),
        size_id,
        modification_id,
        store_menu,
    })
}
