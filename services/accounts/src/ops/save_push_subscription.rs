use kit::{InternalError, ServiceError};
use types::{ConsumerId, SessionId};

use crate::{Accounts, db::push_subscriptions, domain::push::PushSubscription};

#[derive(Debug, thiserror::Error)]
pub enum SavePushSubscriptionError {
    #[error("the session has ended")]
    SessionEnded,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(SavePushSubscriptionError);

impl From<SavePushSubscriptionError> for ServiceError {
    fn from(error: SavePushSubscriptionError) -> Self {
        match error {
            SavePushSubscriptionError::SessionEnded => super::unauthenticated(),
            SavePushSubscriptionError::Internal(error) => error.into(),
        }
    }
}

/// Registers the device of the session for push notifications, until the session ends or another one registers the device.
pub async fn save_push_subscription(
    cx: &Accounts,
    consumer: ConsumerId,
    session: SessionId,
    subscription: &PushSubscription,
) -> Result<(), SavePushSubscriptionError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    if !push_subscriptions::save(&mut tx, consumer, session, subscription, now).await? {
        return Err(SavePushSubscriptionError::SessionEnded);
    }
    tx.commit().await?;
    Ok(())
}
