use kit::{ErrorCode, InternalError, ServiceError};
use types::{ConsumerId, SessionId};

use super::write_tombstones::try_write_tombstones;
use crate::{
    Accounts,
    db::{devices, sessions},
};

#[derive(Debug, thiserror::Error)]
pub enum EndSessionError {
    /// The consumer has no such session.
    #[error("session not found")]
    NotFound,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(EndSessionError);

impl From<EndSessionError> for ServiceError {
    fn from(error: EndSessionError) -> Self {
        match error {
            EndSessionError::NotFound => Self::new(
                ErrorCode::NotFound,
                "SESSION_UNKNOWN",
                "That device isn't signed in anymore.",
            ),
            EndSessionError::Internal(error) => error.into(),
        }
    }
}

/// Ends a session of the consumer and forgets its device, unless it is the device of the current session. Does nothing if
/// the session has ended.
pub async fn end_session(
    cx: &Accounts,
    consumer: ConsumerId,
    current: SessionId,
    id: SessionId,
) -> Result<(), EndSessionError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let session = sessions::find_of_consumer(&mut tx, consumer, id)
        .await?
        .ok_or(EndSessionError::NotFound)?;
    let has_ended = sessions::end(&mut tx, &session.token_hash, cx.clock.now()).await?;
    let current = sessions::find_of_consumer(&mut tx, consumer, current).await?;
    let current_device = current.and_then(|current| current.device_hash);
    if let Some(device_hash) = session.device_hash
        && has_ended
        && current_device.as_ref() != Some(&device_hash)
    {
        devices::delete(&mut tx, consumer, &device_hash).await?;
    }
    tx.commit().await?;
    if has_ended {
        try_write_tombstones(cx, &[session.token_hash]).await;
    }
    Ok(())
}
