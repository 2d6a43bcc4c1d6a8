use std::{sync::Arc, time::Duration};

use kit::{ErrorCode, InternalError, ServiceError};
use types::{ConsumerId, limits::MAX_PHOTO_BYTES};
use uuid::Uuid;

use super::delete_photos::try_delete_photo;
use crate::{
    Accounts,
    clients::photo_store::PhotoStoreError,
    db::{consumers, photos},
    domain::{
        photo::{self, InvalidPhoto},
        profile::Profile,
    },
};

/// Time after which the file of an upload that did not finish is deleted. Longer than any call takes.
const UPLOAD_TIMEOUT: Duration = Duration::from_hours(1);

#[derive(Debug, thiserror::Error)]
pub enum SetPhotoError {
    #[error(transparent)]
    InvalidPhoto(#[from] InvalidPhoto),
    #[error("consumer not found")]
    NotFound,
    /// Too many uploads wait to be decoded.
    #[error("too many uploads")]
    Overloaded,
    #[error(transparent)]
    StoreUnavailable(#[from] PhotoStoreError),
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(SetPhotoError);

impl From<SetPhotoError> for ServiceError {
    fn from(error: SetPhotoError) -> Self {
        match error {
            SetPhotoError::InvalidPhoto(error) => photo_invalid(error),
            SetPhotoError::NotFound => super::consumer_unknown(),
            SetPhotoError::Overloaded => Self::new(
                ErrorCode::Unavailable,
                "OVERLOADED",
                "We're very busy right now. Please try again in a moment.",
            ),
            SetPhotoError::StoreUnavailable(error) => error.into(),
            SetPhotoError::Internal(error) => error.into(),
        }
    }
}

fn photo_invalid(error: InvalidPhoto) -> ServiceError {
    let (reason, message) = match error {
        InvalidPhoto::TooLarge => {
            let megabytes = MAX_PHOTO_BYTES >> 20;
            let message = format!("That photo is too large. Please choose one of up to {megabytes} MB.");
            ("PHOTO_TOO_LARGE", message)
        }
        InvalidPhoto::TooManyPixels => (
            "PHOTO_DIMENSIONS_TOO_LARGE",
            "That photo's dimensions are too large. Please choose one with fewer pixels.".to_owned(),
        ),
        InvalidPhoto::Format => (
            "PHOTO_FORMAT_UNSUPPORTED",
            "Please choose a JPEG, PNG or WebP photo.".to_owned(),
        ),
        InvalidPhoto::Unreadable => (
            "PHOTO_UNREADABLE",
            "We couldn't read that photo. Please choose another one.".to_owned(),
        ),
    };
    ServiceError::new(ErrorCode::RuleViolation, reason, message).with_field("photo")
}

/// Stores the consumer's photo as a square JPEG without metadata, and deletes the previous one.
///
/// The deletion of the file is planned before it is written and ends in the transaction that uses it, so that a crash
/// leaves no file behind.
pub async fn set_photo(
    cx: &Accounts,
    consumer: ConsumerId,
    upload: Vec<u8>,
) -> Result<Profile, SetPhotoError> {
    let jpeg = normalize(cx, upload).await?;
    let (id, now) = (Uuid::new_v4(), cx.clock.now());
    let mut conn = cx.pool.acquire().await?;
    photos::plan_deletion(&mut conn, id, now + UPLOAD_TIMEOUT).await?;
    drop(conn);
    cx.photos.put(id, jpeg).await?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let replaced = photos::replace(&mut tx, consumer, id)
        .await?
        .ok_or(SetPhotoError::NotFound)?;
    if !photos::end_deletion(&mut tx, id).await? {
        return Err(InternalError::invariant_violated("the photo was deleted while it was stored").into());
    }
    if let Some(old) = replaced.photo_id {
        photos::plan_deletion(&mut tx, old, now).await?;
    }
    let profile = consumers::find(&mut tx, consumer).await?;
    tx.commit().await?;
    if let Some(old) = replaced.photo_id {
        try_delete_photo(cx, old).await;
    }
    profile.ok_or(SetPhotoError::NotFound)
}

/// Decodes one photo at a time, because decoding takes up to 225 MB. Few uploads wait, because each is in memory.
///
/// A canceled call does not stop the decoding, so the permits are released when the decoding ends.
async fn normalize(cx: &Accounts, upload: Vec<u8>) -> Result<Vec<u8>, SetPhotoError> {
    let upload_permit = Arc::clone(&cx.photo_uploads)
        .try_acquire_owned()
        .map_err(|_| SetPhotoError::Overloaded)?;
    let decoding_permit = Arc::clone(&cx.photo_decoding)
        .acquire_owned()
        .await
        .map_err(anyhow::Error::from)
        .map_err(InternalError::from)?;
    let decoding = tokio::task::spawn_blocking(move || {
        let _permits = (upload_permit, decoding_permit);
        photo::normalize(&upload)
    });
    Ok(decoding
        .await
        .map_err(anyhow::Error::from)
        .map_err(InternalError::from)??)
}
