//! One store.

use kit::{ErrorCode, InternalError, ServiceError};
use types::{ConsumerId, StoreId};

use super::show::{Shown, show};
use crate::{Stores, domain::geo::Position};

/// Why a store is not shown.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is none of this id.
    #[error("no such store")]
    Unknown,
    /// Nobody's decision.
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(StoreError);

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unknown => store_unknown(),
            StoreError::Internal(fault) => fault.into(),
        }
    }
}

/// How a call about a store that there is not is refused.
pub(crate) fn store_unknown() -> ServiceError {
    ServiceError::new(ErrorCode::NotFound, "STORE_UNKNOWN", "There is no such store.")
}

/// A store as it stands now.
///
/// # Errors
/// [`StoreError::Unknown`].
pub async fn get_store(
    cx: &Stores,
    id: StoreId,
    here: Option<Position>,
    consumer: Option<ConsumerId>,
) -> Result<Shown, StoreError> {
    let mut conn = cx.pool.acquire().await?;
    show(cx, &mut conn, &[id], consumer, here)
        .await?
        .pop()
        .ok_or(StoreError::Unknown)
}
