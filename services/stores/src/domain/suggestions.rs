//! Chooses the items that a store suggests.

use std::{cmp::Reverse, collections::HashMap, sync::Arc};

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use types::ItemId;

use super::{menu::Item, store_menu::StoreMenu};

/// Number of days for which completed orders count.
pub(crate) const WINDOW_DAYS: i32 = 30;
const MAX_TOP_ORDERED: usize = 6;
const MAX_UPSELL_ITEMS: usize = 4;

/// Number of orders of each item.
pub(crate) type Counts = HashMap<ItemId, i64>;

#[must_use]
pub(crate) fn utc_day(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

/// Returns the first day for which orders count.
#[must_use]
pub(crate) fn first_day(today: Date) -> Date {
    today.saturating_sub((WINDOW_DAYS - 1).days())
}

/// Returns the most ordered items that are available, most ordered first. Items with equal counts are in menu order.
#[must_use]
pub(crate) fn top_ordered(store_menu: &StoreMenu, sales: &Counts) -> Vec<Arc<Item>> {
    let mut items: Vec<_> = available(store_menu)
        .filter(|item| sales.contains_key(&item.id))
        .collect();
    items.sort_by_key(|item| Reverse(count(sales, item)));
    items.into_iter().take(MAX_TOP_ORDERED).map(Arc::clone).collect()
}

/// Returns available items that are not in the cart: first by the number of orders together with items of the cart,
/// then items of a kind that is not in the cart, then by the number of orders.
#[must_use]
pub(crate) fn upsell(
    store_menu: &StoreMenu,
    cart: &[ItemId],
    pairs: &Counts,
    sales: &Counts,
) -> Vec<Arc<Item>> {
    let cart_kinds: Vec<_> = cart
        .iter()
        .filter_map(|id| store_menu.menu.item(*id))
        .map(|item| item.kind)
        .collect();
    let mut items: Vec<_> = available(store_menu)
        .filter(|item| !cart.contains(&item.id))
        .collect();
    items.sort_by_key(|item| {
        (
            Reverse(count(pairs, item)),
            cart_kinds.contains(&item.kind),
            Reverse(count(sales, item)),
        )
    });
    items.into_iter().take(MAX_UPSELL_ITEMS).map(Arc::clone).collect()
}

fn available(store_menu: &StoreMenu) -> impl Iterator<Item = &Arc<Item>> {
    let items = store_menu.menu.items().iter();
    items.filter(|item| !store_menu.sold_out.has_item(item))
}

fn count(counts: &Counts, item: &Item) -> i64 {
    counts.get(&item.id).copied().unwrap_or_default()
}
