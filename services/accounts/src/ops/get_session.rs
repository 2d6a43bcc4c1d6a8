//! Says whose session a token is.

use std::time::Duration;

use kit::{ErrorCode, InternalError, ServiceError};
use proto::accounts::v1 as pb;
use types::{ConsumerId, SessionId};

use crate::{Accounts, db::sessions, domain::secret};

/// A session is rolled on at most once in this time: reading it should not write each time.
const ROLL_EVERY: Duration = Duration::from_secs(3600);

/// Why a token is nobody's.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// No session, or one that has ended.
    #[error("no live session")]
    None,
    /// Something broke.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(SessionError);

impl From<SessionError> for ServiceError {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::None => Self::new(ErrorCode::Unauthenticated, "UNAUTHENTICATED", "Please sign in."),
            SessionError::Internal(fault) => fault.into(),
        }
    }
}

/// The live session of a token, rolled on.
///
/// # Errors
/// [`SessionError`].
pub async fn get_session(cx: &Accounts, token: &str) -> Result<pb::Session, SessionError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let row = sessions::find(&mut conn, &secret::token_hash(token), now)
        .await?
        .ok_or(SessionError::None)?;
    sessions::touch(&mut conn, row.id, now, now - ROLL_EVERY, now + cx.rules.session()).await?;
    Ok(pb::Session {
        consumer_id: ConsumerId::from_uuid(row.consumer_id).to_string(),
        session_id: SessionId::from_uuid(row.id).to_string(),
        expires_at: row.expires_at.to_jiff().to_string(),
    })
}
