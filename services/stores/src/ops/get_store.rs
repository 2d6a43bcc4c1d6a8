//! Returns one store.

use kit::{InternalError, ServiceError};
use types::{ConsumerId, StoreId};

use super::store_views::load_store_views;
use crate::{
    Stores, db,
    domain::{
        geo::Position,
        store_view::StoreView,
        suggestions::{first_day, utc_day},
    },
    not_found,
};

/// Error of operations on one store.
#[derive(Debug, thiserror::Error)]
pub enum GetStoreError {
    #[error("unknown store")]
    StoreUnknown,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(GetStoreError);

impl From<GetStoreError> for ServiceError {
    fn from(error: GetStoreError) -> Self {
        match error {
            GetStoreError::StoreUnknown => not_found::store(),
            GetStoreError::Internal(error) => error.into(),
        }
    }
}

pub(crate) async fn get_store(
    cx: &Stores,
    store_id: StoreId,
    position: Option<Position>,
    consumer_id: Option<ConsumerId>,
) -> Result<StoreView, GetStoreError> {
    let mut conn = cx.pool.acquire().await?;
    let view = load_store_views(cx, &mut conn, &[store_id], consumer_id, position)
        .await?
        .pop()
        .ok_or(GetStoreError::StoreUnknown)?;
    let first_day = first_day(utc_day(cx.clock.now()));
    let promise_record = db::promises::count(&mut conn, store_id, first_day).await?;
    let rating = db::ratings::count(&mut conn, store_id, first_day).await?;
    Ok(StoreView {
        promise_record: promise_record.published(),
        rating: rating.published(),
        ..view
    })
}
