use kit::{InternalError, ServiceError};
use types::ConsumerId;

use super::delete_photos::try_delete_photo;
use crate::{
    Accounts,
    db::{consumers, photos},
    domain::profile::Profile,
};

#[derive(Debug, thiserror::Error)]
pub enum RemovePhotoError {
    #[error("consumer not found")]
    NotFound,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(RemovePhotoError);

impl From<RemovePhotoError> for ServiceError {
    fn from(error: RemovePhotoError) -> Self {
        match error {
            RemovePhotoError::NotFound => super::consumer_unknown(),
            RemovePhotoError::Internal(error) => error.into(),
        }
    }
}

/// Removes the consumer's photo and deletes its file. Does nothing without a photo.
pub async fn remove_photo(cx: &Accounts, consumer: ConsumerId) -> Result<Profile, RemovePhotoError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let removed = photos::remove(&mut tx, consumer).await?;
    if let Some(photo_id) = removed {
        photos::plan_deletion(&mut tx, photo_id, cx.clock.now()).await?;
    }
    let profile = consumers::find(&mut tx, consumer).await?;
    tx.commit().await?;
    if let Some(photo_id) = removed {
        try_delete_photo(cx, photo_id).await;
    }
    profile.ok_or(RemovePhotoError::NotFound)
}
