use std::time::Duration;

use kit::{InternalError, ServiceError};

use crate::{
    Accounts,
    db::sessions,
    domain::{secret, session::Session},
};

/// Minimum time between two extensions of a session, so that most reads do not write.
const EXTEND_INTERVAL: Duration = Duration::from_hours(1);

#[derive(Debug, thiserror::Error)]
pub enum GetSessionError {
    /// The token is unknown, or its session has ended or expired.
    #[error("no active session")]
    Unauthenticated,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(GetSessionError);

impl From<GetSessionError> for ServiceError {
    fn from(error: GetSessionError) -> Self {
        match error {
            GetSessionError::Unauthenticated => super::unauthenticated(),
            GetSessionError::Internal(error) => error.into(),
        }
    }
}

/// Returns the active session of a token and extends it.
pub async fn get_session(cx: &Accounts, token: &str) -> Result<Session, GetSessionError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let session = sessions::find_active(&mut conn, &secret::token_hash(token), now)
        .await?
        .ok_or(GetSessionError::Unauthenticated)?;
    let expires_at = now + cx.rules.session_lifetime();
    sessions::extend(&mut conn, session.id, now, now - EXTEND_INTERVAL, expires_at).await?;
    Ok(session)
}
