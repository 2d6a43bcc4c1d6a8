//! Lists items to suggest for a cart.

use std::sync::Arc;

use kit::{ErrorCode, InternalError, ServiceError};
use types::{ItemId, StoreId, limits::MAX_CART_LINES};

use super::store_menu::{StoreMenuError, load_store_menu};
use crate::{
    Stores, db,
    domain::{
        menu::Item,
        store_menu::StoreMenu,
        suggestions::{first_day, upsell, utc_day},
    },
};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ListUpsellItemsError {
    #[error("more than {MAX_CART_LINES} items")]
    TooManyItems,
    #[error(transparent)]
    Menu(#[from] StoreMenuError),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(ListUpsellItemsError);

impl From<ListUpsellItemsError> for ServiceError {
    fn from(error: ListUpsellItemsError) -> Self {
        match error {
            ListUpsellItemsError::TooManyItems => Self::new(
                ErrorCode::RuleViolation,
                "TOO_MANY_LINES",
                format!("A cart can have up to {MAX_CART_LINES} items."),
            )
            .with_field("itemIds"),
            ListUpsellItemsError::Menu(error) => error.into(),
            ListUpsellItemsError::Internal(error) => error.into(),
        }
    }
}

/// Items of the cart that are not on the menu are ignored.
///
/// # Errors
/// [`ListUpsellItemsError`] if the store does not exist or the cart has too many items.
pub(crate) async fn list_upsell_items(
    cx: &Stores,
    store_id: StoreId,
    cart: &[ItemId],
) -> Result<(StoreMenu, Vec<Arc<Item>>), ListUpsellItemsError> {
    if cart.len() > MAX_CART_LINES {
        return Err(ListUpsellItemsError::TooManyItems);
    }
    let store_menu = load_store_menu(cx, store_id).await?;
    let mut conn = cx.pool.acquire().await?;
    let first_day = first_day(utc_day(cx.clock.now()));
    let sales = db::item_sales::count(&mut conn, store_id, first_day).await?;
    let pairs = db::item_sales::count_pairs(&mut conn, store_id, cart, first_day).await?;
    let items = upsell(&store_menu, cart, &pairs, &sales);
    Ok((store_menu, items))
}
