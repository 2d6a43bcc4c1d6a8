use std::time::Duration;

use kit::{ErrorCode, InternalError, ServiceError};
use types::SessionId;

use crate::{
    Accounts,
    db::{hand_over_codes, sessions},
    domain::{hand_over::HandOverCode, journey_step::JourneyStep, secret},
};

/// Lifetime of a code. It is exchanged as soon as a page opens.
const LIFETIME: Duration = Duration::from_mins(1);

#[derive(Debug, thiserror::Error)]
pub enum CreateHandOverCodeError {
    /// The key is not the one of the native app.
    #[error("wrong app key")]
    WrongAppKey,
    /// The session ended during the call.
    #[error("no active session")]
    Unauthenticated,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(CreateHandOverCodeError);

impl From<CreateHandOverCodeError> for ServiceError {
    fn from(error: CreateHandOverCodeError) -> Self {
        match error {
            CreateHandOverCodeError::WrongAppKey => Self::new(
                ErrorCode::Forbidden,
                "APP_KEY_INCORRECT",
                "Please update the app.",
            ),
            CreateHandOverCodeError::Unauthenticated => super::unauthenticated(),
            CreateHandOverCodeError::Internal(error) => error.into(),
        }
    }
}

/// Creates a code that another client exchanges for a session of the same consumer. With the app's key the new session is
/// one of the app; with an empty key it has the journey step of the current session.
pub async fn create_hand_over_code(
    cx: &Accounts,
    session: SessionId,
    app_key: &str,
) -> Result<HandOverCode, CreateHandOverCodeError> {
    let mut conn = cx.pool.acquire().await?;
    let current = sessions::find_journey_step(&mut conn, session).await?;
    let current = current.ok_or(CreateHandOverCodeError::Unauthenticated)?;
    let journey_step = if app_key.is_empty() {
        current
    } else if cx.app_key.as_ref().is_some_and(|key| key.matches(app_key)) {
        JourneyStep::App
    } else {
        return Err(CreateHandOverCodeError::WrongAppKey);
    };
    let code = secret::new_token(&mut rand::rng());
    let expires_at = cx.clock.now() + LIFETIME;
    hand_over_codes::insert(
        &mut conn,
        &secret::token_hash(&code),
        session,
        journey_step,
        expires_at,
    )
    .await?;
    Ok(HandOverCode {
        code,
        expires_after: LIFETIME,
    })
}
