use kit::{ErrorCode, InternalError, ServiceError};
use types::ConsumerId;

use crate::{Accounts, clients::photo_store::PhotoStoreError, db::consumers};

#[derive(Debug, thiserror::Error)]
pub enum GetPhotoError {
    /// The consumer has no photo with this id.
    #[error("photo not found")]
    NotFound,
    #[error(transparent)]
    StoreUnavailable(#[from] PhotoStoreError),
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(GetPhotoError);

impl From<GetPhotoError> for ServiceError {
    fn from(error: GetPhotoError) -> Self {
        match error {
            GetPhotoError::NotFound => Self::new(
                ErrorCode::NotFound,
                "PHOTO_UNKNOWN",
                "We couldn't find that photo.",
            ),
            GetPhotoError::StoreUnavailable(error) => error.into(),
            GetPhotoError::Internal(error) => error.into(),
        }
    }
}

/// Returns the consumer's own photo as JPEG.
pub async fn get_photo(
    cx: &Accounts,
    consumer: ConsumerId,
    photo_id: &str,
) -> Result<Vec<u8>, GetPhotoError> {
    let mut conn = cx.pool.acquire().await?;
    let profile = consumers::find(&mut conn, consumer).await?;
    drop(conn);
    let own = profile.and_then(|profile| profile.photo_id);
    let id = own
        .filter(|own| own.to_string() == photo_id)
        .ok_or(GetPhotoError::NotFound)?;
    cx.photos.get(id).await?.ok_or(GetPhotoError::NotFound)
}
