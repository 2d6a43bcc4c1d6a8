use callers::Caller;
use kit::{InternalError, ServiceError};
use types::{Page, StoreId};
use uuid::Uuid;

use super::order_details::with_histories;
use crate::{
    Ordering,
    db::orders,
    domain::{
        order::OrderDetails,
        queue::{QueueCursor, QueuePage},
    },
};

#[derive(Debug, thiserror::Error)]
pub enum ListQueueError {
    #[error("the caller has no access to the store")]
    Forbidden,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(ListQueueError);

impl From<ListQueueError> for ServiceError {
    fn from(error: ListQueueError) -> Self {
        match error {
            ListQueueError::Forbidden => callers::forbidden(),
            ListQueueError::Internal(error) => error.into(),
        }
    }
}

/// Returns the page of the queue after `after`, sorted by [`QueueCursor`]: of one store, or of all stores of the
/// credential.
///
/// # Errors
/// [`ListQueueError::Forbidden`] if the caller has no credential of the store.
pub async fn list_queue(
    cx: &Ordering,
    caller: &Caller,
    store_id: Option<StoreId>,
    after: Option<QueueCursor>,
    page: Page,
) -> Result<QueuePage<OrderDetails>, ListQueueError> {
    let Caller::Store { stores, .. } = caller else {
        return Err(ListQueueError::Forbidden);
    };
    let store_ids: Option<Vec<Uuid>> = match store_id {
        Some(store_id) if caller.store(store_id).is_ok() => Some(vec![store_id.uuid()]),
        Some(_) => return Err(ListQueueError::Forbidden),
        None => stores
            .as_ref()
            .map(|stores| stores.iter().map(|store_id| store_id.uuid()).collect()),
    };
    let mut conn = cx.pool.acquire().await?;
    let records = orders::list_queue(&mut conn, store_ids.as_deref(), after, page.limit()).await?;
    let is_full = i64::try_from(records.len()).is_ok_and(|count| count == page.limit());
    let next = records
        .last()
        .filter(|_| is_full)
        .map(|record| QueueCursor::of(&record.order));
    let orders = with_histories(&mut conn, records).await?;
    Ok(QueuePage { orders, next })
}
