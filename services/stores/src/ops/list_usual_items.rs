//! Lists the usual items of a consumer, resolved against current menus.

use std::collections::{HashMap, hash_map::Entry};

use kit::InternalError;
use types::{ConsumerId, StoreId};

use super::store_menu::{StoreMenuError, load_store_menu};
use crate::{
    Stores, db,
    domain::{
        cart_lines::{LineError, ResolvedLine, resolve},
        sold_out::SoldOut,
        store_menu::StoreMenu,
        usual_item::{ResolvedUsualItem, UsualItem},
    },
};

/// Returns the usual items, newest first. With a store, returns only those on its menu, resolved at that store. Without
/// one, returns all, each resolved at the store where it was saved.
///
/// # Errors
/// [`StoreMenuError::StoreUnknown`] if the store does not exist.
pub(crate) async fn list_usual_items(
    cx: &Stores,
    consumer_id: ConsumerId,
    store_id: Option<StoreId>,
) -> Result<Vec<ResolvedUsualItem>, StoreMenuError> {
    let mut menus: HashMap<StoreId, StoreMenu> = HashMap::new();
    let mut store_name = None;
    if let Some(store_id) = store_id {
        menus.insert(store_id, load_store_menu(cx, store_id).await?);
    }
    let mut conn = cx.pool.acquire().await?;
    if let Some(store_id) = store_id {
        store_name = db::stores::find_name(&mut conn, store_id).await?;
    }
    let items = db::usual_items::list(&mut conn, consumer_id, store_id).await?;
    drop(conn);
    let mut resolved = Vec::with_capacity(items.len());
    for mut item in items {
        if let (Some(store_id), Some(store_name)) = (store_id, &store_name) {
            item.store_id = store_id;
            item.store_name.clone_from(store_name);
        }
        let menu = match menus.entry(item.store_id) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(load_store_menu(cx, item.store_id).await?),
        };
        resolved.push(resolve_usual_item(menu, item)?);
    }
    Ok(resolved)
}

/// Resolves a usual item at a store. A sold-out item keeps its price.
pub(super) fn resolve_usual_item(
    store_menu: &StoreMenu,
    item: UsualItem,
) -> Result<ResolvedUsualItem, InternalError> {
    let (line, problem) = match resolve_one(store_menu, &store_menu.sold_out, &item)? {
        Ok(line) => (Some(line), None),
        Err(problem) => (
            resolve_one(store_menu, &SoldOut::default(), &item)?.ok(),
            Some(problem),
        ),
    };
    Ok(ResolvedUsualItem { item, line, problem })
}

fn resolve_one(
    store_menu: &StoreMenu,
    sold_out: &SoldOut,
    item: &UsualItem,
) -> Result<Result<ResolvedLine, LineError>, InternalError> {
    let line = item.customization.to_line(item.id);
    let resolved = resolve(&store_menu.menu, sold_out, vec![line])
        .map_err(InternalError::invariant_violated)?
        .pop();
    Ok(resolved
        .ok_or_else(|| InternalError::invariant_violated("no result for the line"))?
        .map_err(|problem| problem.error))
}
