//! A store's menu: its company's, with what the store is out of.

use std::sync::Arc;

use kit::{ErrorCode, InternalError, ServiceError};
use types::{CategoryId, ItemId, StoreId};

use super::get_store::store_unknown;
use crate::{
    Stores, db,
    domain::{
        menu::{Item, Menu},
        sold_out::SoldOut,
    },
};

/// Why a menu, or a part of it, is not shown.
#[derive(Debug, thiserror::Error)]
pub enum MenuError {
    /// No such store.
    #[error("no such store")]
    StoreUnknown,
    /// No such part of this store's menu.
    #[error("no such category")]
    CategoryUnknown,
    /// No such item on this store's menu.
    #[error("no such item")]
    ItemUnknown,
    /// Nobody's decision.
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(MenuError);

impl From<MenuError> for ServiceError {
    fn from(error: MenuError) -> Self {
        match error {
            MenuError::StoreUnknown => store_unknown(),
            MenuError::CategoryUnknown => Self::new(
                ErrorCode::NotFound,
                "CATEGORY_UNKNOWN",
                "The menu has no such category.",
            ),
            MenuError::ItemUnknown => {
                Self::new(ErrorCode::NotFound, "ITEM_UNKNOWN", "This is not on the menu.")
            }
            MenuError::Internal(fault) => fault.into(),
        }
    }
}

/// A menu as one store offers it.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The company's menu.
    pub menu: Arc<Menu>,
    /// What the store is out of.
    pub sold_out: SoldOut,
}

impl Offer {
    /// An item of it.
    ///
    /// # Errors
    /// [`MenuError::ItemUnknown`].
    pub fn item(&self, id: ItemId) -> Result<&Item, MenuError> {
        self.menu.item(id).ok_or(MenuError::ItemUnknown)
    }
}

/// A store's whole menu.
///
/// # Errors
/// [`MenuError::StoreUnknown`].
pub async fn of_store(cx: &Stores, id: StoreId) -> Result<Offer, MenuError> {
    let mut conn = cx.pool.acquire().await?;
    let (company, version) = db::stores::company_of(&mut conn, id)
        .await?
        .ok_or(MenuError::StoreUnknown)?;
    let menu = cx.menus.of(&mut conn, company, version).await?;
    let sold_out = db::sold_out::of(&mut conn, id).await?;
    Ok(Offer { menu, sold_out })
}

/// A store's menu, after making sure that it has a category where one is asked for.
///
/// # Errors
/// [`MenuError::StoreUnknown`], [`MenuError::CategoryUnknown`].
pub async fn list_menu(cx: &Stores, id: StoreId, category: Option<CategoryId>) -> Result<Offer, MenuError> {
    let offer = of_store(cx, id).await?;
    let known = category.is_none_or(|id| offer.menu.categories().iter().any(|category| category.id == id));
    if known {
        Ok(offer)
    } else {
        Err(MenuError::CategoryUnknown)
    }
}
