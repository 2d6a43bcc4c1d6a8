use kit::{ErrorCode, InternalError, ServiceError, outbox};
use types::{ConsumerId, SessionId};

use super::{
    delete_photos::try_delete_photo, request_email_verification::anonymize_verifications,
    write_tombstones::try_write_tombstones,
};
use crate::{
    Accounts, convert,
    db::{challenges, consumers, photos, sessions, sign_in_data},
    domain::secret::HashPurpose,
};

#[derive(Debug, thiserror::Error)]
pub enum RemoveConsumerError {
    #[error("an order is active")]
    HasActiveOrder,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(RemoveConsumerError);

impl From<RemoveConsumerError> for ServiceError {
    fn from(error: RemoveConsumerError) -> Self {
        match error {
            RemoveConsumerError::HasActiveOrder => Self::new(
                ErrorCode::Conflict,
                "ORDER_ACTIVE",
                "You have an order in progress. Pick it up or cancel it, then delete your account.",
            ),
            RemoveConsumerError::Internal(error) => error.into(),
        }
    }
}

/// Deletes the consumer with all data of this service, ends their sessions and publishes `ConsumerRemoved`, on which the
/// other services erase theirs. The limits of the phone number and of email addresses stay. Does nothing if the consumer was removed already.
pub async fn remove_consumer(
    cx: &Accounts,
    consumer: ConsumerId,
    session: SessionId,
) -> Result<(), RemoveConsumerError> {
    if cx.ordering.has_active_order(consumer, session).await? {
        return Err(RemoveConsumerError::HasActiveOrder);
    }
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let Some(profile) = consumers::find(&mut tx, consumer).await? else {
        return Ok(());
    };
    // A sign-in in progress either finishes before, or finds neither its code nor the consumer.
    challenges::lock_phone(&mut tx, &profile.phone).await?;
    // Other calls in progress, such as the upload of a photo, either finish before, or do not find the consumer.
    let Some(profile) = consumers::lock_for_removal(&mut tx, consumer).await? else {
        return Ok(());
    };
    anonymize_verifications(cx, &mut tx, consumer).await?;
    let tokens = sessions::end_all(&mut tx, consumer, now).await?;
    consumers::delete(&mut tx, consumer).await?;
    let pseudonym = super::pseudonym(cx, &profile.phone);
    sign_in_data::anonymize(&mut tx, &profile.phone, &pseudonym, now).await?;
    let phone_hash = cx.secret.hash(HashPurpose::Phone, &profile.phone);
    outbox::append(&mut tx, convert::consumer_removed(consumer, &phone_hash, now)).await?;
    if let Some(photo_id) = profile.photo_id {
        photos::plan_deletion(&mut tx, photo_id, now).await?;
    }
    tx.commit().await?;
    try_write_tombstones(cx, &tokens).await;
    if let Some(photo_id) = profile.photo_id {
        try_delete_photo(cx, photo_id).await;
    }
    Ok(())
}
