//! Summarizes the orders of a store that are promised for today.

use callers::Caller;
use types::StoreId;

use super::list_queue::ListQueueError;
use crate::{Ordering, db::summaries, domain::summary::StoreSummary};

/// # Errors
/// [`ListQueueError::Forbidden`] if the caller has no credential of the store.
pub async fn get_store_summary(
    cx: &Ordering,
    caller: &Caller,
    store_id: StoreId,
) -> Result<StoreSummary, ListQueueError> {
    caller.store(store_id).map_err(|_| ListQueueError::Forbidden)?;
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let day = summaries::today(&mut conn, store_id, now).await?;
    let orders = match day {
        Some(day) => summaries::list(&mut conn, store_id, day).await?,
        None => Vec::new(),
    };
    Ok(StoreSummary::of(day, &orders))
}
