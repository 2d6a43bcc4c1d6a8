//! Lists the most ordered items of a store.

use std::sync::Arc;

use types::StoreId;

use super::store_menu::{StoreMenuError, load_store_menu};
use crate::{
    Stores, db,
    domain::{
        menu::Item,
        store_menu::StoreMenu,
        suggestions::{first_day, top_ordered, utc_day},
    },
};

/// Returns items of the menu that are available, most ordered first. Empty without orders.
///
/// # Errors
/// [`StoreMenuError::StoreUnknown`] if the store does not exist.
pub(crate) async fn list_top_ordered(
    cx: &Stores,
    store_id: StoreId,
) -> Result<(StoreMenu, Vec<Arc<Item>>), StoreMenuError> {
    let store_menu = load_store_menu(cx, store_id).await?;
    let mut conn = cx.pool.acquire().await?;
    let first_day = first_day(utc_day(cx.clock.now()));
    let sales = db::item_sales::count(&mut conn, store_id, first_day).await?;
    let items = top_ordered(&store_menu, &sales);
    Ok((store_menu, items))
}
