//! Removes a store from the favorites of a consumer.

use kit::InternalError;
use types::{ConsumerId, StoreId};

use crate::{Stores, db};

/// Succeeds if the store is not a favorite.
pub(crate) async fn unfavorite_store(
    cx: &Stores,
    consumer_id: ConsumerId,
    store_id: StoreId,
) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(db::favorites::delete(&mut conn, consumer_id, store_id).await?)
}
