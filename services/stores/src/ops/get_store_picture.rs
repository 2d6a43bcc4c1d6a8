//! Draws the picture of a store.

use types::StoreId;

use super::get_store::GetStoreError;
use crate::{Stores, db, domain::store_picture};

/// Returns an SVG document.
pub(crate) async fn get_store_picture(cx: &Stores, store_id: StoreId) -> Result<String, GetStoreError> {
    let mut conn = cx.pool.acquire().await?;
    db::stores::find_name(&mut conn, store_id)
        .await?
        .ok_or(GetStoreError::StoreUnknown)?;
    Ok(store_picture::draw(store_id))
}
