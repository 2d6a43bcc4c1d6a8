use callers::Caller;
use kit::{InternalError, ServiceError};
use types::StoreId;
use uuid::Uuid;

use super::order_details::with_histories;
use crate::{Ordering, db::orders, domain::order::OrderDetails};

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

/// Lists the orders that a store has to make, or that all stores of the credential have to make.
///
/// # Errors
/// [`ListQueueError::Forbidden`] if the caller has no credential of the store.
pub async fn list_queue(
    cx: &Ordering,
    caller: &Caller,
    store_id: Option<StoreId>,
) -> Result<Vec<OrderDetails>, ListQueueError> {
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
    let records = orders::list_queue(&mut conn, store_ids.as_deref()).await?;
    Ok(with_histories(&mut conn, records).await?)
}
