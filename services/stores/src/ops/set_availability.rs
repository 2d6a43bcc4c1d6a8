//! Marks an item, a size or a choice of a store as sold out or available.

use types::StoreId;

use super::store_menu::{StoreMenuError, load_store_menu};
use crate::{Stores, convert, db, domain::sold_out::SoldOutSubject};

/// Does nothing if the subject is already in the requested state.
///
/// # Errors
/// [`StoreMenuError`] if the store, or the subject on its menu, does not exist.
pub(crate) async fn set_availability(
    cx: &Stores,
    store_id: StoreId,
    subject: SoldOutSubject,
    is_sold_out: bool,
) -> Result<(), StoreMenuError> {
    let menu = load_store_menu(cx, store_id).await?.menu;
    match subject {
        SoldOutSubject::Item(id) if menu.item(id).is_none() => return Err(StoreMenuError::ItemUnknown),
        SoldOutSubject::Size(id) if menu.item_with_size(id).is_none() => {
            return Err(StoreMenuError::SizeUnknown);
        }
        SoldOutSubject::Choice(id) if !menu.has_choice(id) => return Err(StoreMenuError::ChoiceUnknown),
        SoldOutSubject::Item(_) | SoldOutSubject::Size(_) | SoldOutSubject::Choice(_) => {}
    }
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    if db::sold_out::set(&mut tx, store_id, subject, is_sold_out).await? {
        let version = db::stores::increment_version(&mut tx, store_id).await?;
        let event = convert::event::availability_changed(store_id, version, cx.clock.now());
        kit::outbox::append(&mut tx, event).await?;
    }
    tx.commit().await?;
    Ok(())
}
