//! The menu that a store offers.

use std::sync::Arc;

use types::{ModificationId, SizeId};

use super::{
    menu::{Item, Menu},
    sold_out::SoldOut,
};

/// The menu of a store's company, with the sold-out items of the store.
#[derive(Debug, Clone)]
pub struct StoreMenu {
    pub(crate) menu: Arc<Menu>,
    pub(crate) sold_out: SoldOut,
}

/// One item of a store's menu.
#[derive(Debug, Clone)]
pub struct StoreItem {
    pub(crate) item: Arc<Item>,
    pub(crate) store_menu: StoreMenu,
}

/// A modification of an item, at one size.
#[derive(Debug, Clone)]
pub struct OfferedModification {
    pub(crate) item: Arc<Item>,
    /// A size of the item.
    pub(crate) size_id: SizeId,
    /// A modification of the item.
    pub(crate) modification_id: ModificationId,
    pub(crate) store_menu: StoreMenu,
}
