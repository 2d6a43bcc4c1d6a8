//! The menu that a store offers.

use std::sync::Arc;

use super::{
    menu::{Item, Menu},
    sold_out::SoldOut,
};

/// The menu of a store's company, and what the store has sold out.
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
