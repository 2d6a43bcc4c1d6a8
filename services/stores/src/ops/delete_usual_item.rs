//! Deletes a usual item.

use kit::{InternalError, ServiceError};
use types::{ConsumerId, UsualItemId};

use crate::{Stores, db, not_found};

#[derive(Debug, thiserror::Error)]
pub(crate) enum DeleteUsualItemError {
    #[error("unknown usual item")]
    UsualItemUnknown,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(DeleteUsualItemError);

impl From<DeleteUsualItemError> for ServiceError {
    fn from(error: DeleteUsualItemError) -> Self {
        match error {
            DeleteUsualItemError::UsualItemUnknown => not_found::usual_item(),
            DeleteUsualItemError::Internal(error) => error.into(),
        }
    }
}

/// # Errors
/// [`DeleteUsualItemError::UsualItemUnknown`] if the consumer does not have it, or has deleted it.
pub(crate) async fn delete_usual_item(
    cx: &Stores,
    consumer_id: ConsumerId,
    id: UsualItemId,
) -> Result<(), DeleteUsualItemError> {
    let mut conn = cx.pool.acquire().await?;
    if db::usual_items::delete(&mut conn, consumer_id, id).await? {
        Ok(())
    } else {
        Err(DeleteUsualItemError::UsualItemUnknown)
    }
}
