//! The menu that a store offers.

use std::sync::Arc;

use types::{ModificationId, Money, MoneyError, SizeId};

use super::{
    cart_lines::default_price,
    menu::{Item, Menu},
    sold_out::SoldOut,
};

/// The menu of a store's company, with the sold-out items of the store.
#[derive(Debug, Clone)]
pub struct StoreMenu {
    pub(crate) menu: Arc<Menu>,
    pub(crate) sold_out: SoldOut,
}

impl StoreMenu {
    /// Returns the price of the item with its default choices, in the cheapest size that is not sold out; in the cheapest one of all if
    /// every size is sold out.
    ///
    /// # Errors
    /// [`MoneyError`] if prices of the menu overflow or differ in currency.
    pub(crate) fn lowest_price(&self, item: &Item) -> Result<Option<Money>, MoneyError> {
        let is_sold_out = item.sizes.iter().all(|size| self.sold_out.has_size(size.id));
        let sizes = item.sizes.iter();
        let prices = sizes
            .filter(|size| is_sold_out || !self.sold_out.has_size(size.id))
            .map(|size| default_price(&self.menu, &self.sold_out, item, size));
        let prices: Vec<Money> = prices.collect::<Result<_, _>>()?;
        Ok(prices.into_iter().min_by_key(|price| price.minor_units()))
    }
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
