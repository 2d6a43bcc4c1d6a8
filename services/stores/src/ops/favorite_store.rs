//! Adds a store to the favorites of a consumer.

use types::{ConsumerId, StoreId};

use super::get_store::GetStoreError;
use crate::{Stores, db};

/// Succeeds if the store is a favorite already.
///
/// # Errors
/// [`GetStoreError::StoreUnknown`] if the store does not exist or the consumer was removed.
pub(crate) async fn favorite_store(
    cx: &Stores,
    consumer_id: ConsumerId,
    store_id: StoreId,
) -> Result<(), GetStoreError> {
    let mut conn = cx.pool.acquire().await?;
    let exists = db::favorites::insert(&mut conn, consumer_id, store_id, cx.clock.now()).await?;
    if exists {
        Ok(())
    } else {
        Err(GetStoreError::StoreUnknown)
    }
}
