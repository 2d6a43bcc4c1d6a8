//! Loads the menu of a store.

use kit::{InternalError, ServiceError};
use types::StoreId;

use crate::{Stores, db, domain::store_menu::StoreMenu, not_found};

/// Error of operations on the menu of a store.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreMenuError {
    #[error("unknown store")]
    StoreUnknown,
    #[error("unknown category")]
    CategoryUnknown,
    #[error("unknown item")]
    ItemUnknown,
    #[error("unknown size")]
    SizeUnknown,
    #[error("unknown modification")]
    ModificationUnknown,
    #[error("unknown choice")]
    ChoiceUnknown,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(StoreMenuError);

impl From<StoreMenuError> for ServiceError {
    fn from(error: StoreMenuError) -> Self {
        match error {
            StoreMenuError::StoreUnknown => not_found::store(),
            StoreMenuError::CategoryUnknown => not_found::category(),
            StoreMenuError::ItemUnknown => not_found::item(),
            StoreMenuError::SizeUnknown => not_found::size(),
            StoreMenuError::ModificationUnknown => not_found::modification(),
            StoreMenuError::ChoiceUnknown => not_found::choice(),
            StoreMenuError::Internal(error) => error.into(),
        }
    }
}

pub(super) async fn load_store_menu(cx: &Stores, store_id: StoreId) -> Result<StoreMenu, StoreMenuError> {
    let mut conn = cx.pool.acquire().await?;
    let (company_id, menu_version) = db::stores::find_company(&mut conn, store_id)
        .await?
        .ok_or(StoreMenuError::StoreUnknown)?;
    Ok(StoreMenu {
        menu: cx.menus.get(&mut conn, company_id, menu_version).await?,
        sold_out: db::sold_out::find(&mut conn, store_id).await?,
    })
}
