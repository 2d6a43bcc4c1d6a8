//! The items of a completed order.

use std::collections::BTreeMap;

use jiff::civil::Date;
use types::{ItemId, StoreId};

/// Maximum number of items of an order for which pairs are counted. Limits the rows that an order writes.
const MAX_PAIRED_ITEMS: usize = 10;

#[derive(Debug)]
pub(crate) struct ItemSales {
    pub(crate) store_id: StoreId,
    /// UTC day on which the order was completed.
    pub(crate) day: Date,
    /// Sorted by item, so that concurrent transactions lock rows in the same order.
    pub(crate) quantities: BTreeMap<ItemId, i64>,
}

impl ItemSales {
    /// Returns each item with each other item of the order.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (ItemId, ItemId)> {
        let items = || self.quantities.keys().copied().take(MAX_PAIRED_ITEMS);
        items().flat_map(move |item| {
            items()
                .filter(move |other| *other != item)
                .map(move |other| (item, other))
        })
    }
}
