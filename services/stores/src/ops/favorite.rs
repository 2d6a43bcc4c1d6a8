//! Likes a store, or no more.

use types::{ConsumerId, StoreId};

use super::get_store::StoreError;
use crate::{Stores, db};

/// Likes a store. Liking it again is the same.
///
/// # Errors
/// [`StoreError::Unknown`].
pub async fn favorite(cx: &Stores, consumer: ConsumerId, store: StoreId) -> Result<(), StoreError> {
    let mut conn = cx.pool.acquire().await?;
    let known = db::favorites::add(&mut conn, consumer, store, cx.clock.now()).await?;
    if known { Ok(()) } else { Err(StoreError::Unknown) }
}

/// Likes a store no more. One that was not liked is none of the worse.
///
/// # Errors
/// The database's.
pub async fn unfavorite(cx: &Stores, consumer: ConsumerId, store: StoreId) -> Result<(), StoreError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(db::favorites::remove(&mut conn, consumer, store).await?)
}
