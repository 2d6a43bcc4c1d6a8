use kit::{ErrorCode, InternalError, ServiceError};

use super::{DeviceHash, start_session::start_session};
use crate::{
    Accounts,
    db::{consumers, hand_over_codes},
    domain::{device::device_name, hand_over::ExchangeHandOverCode, secret, session::NewSession},
};

#[derive(Debug, thiserror::Error)]
pub enum ExchangeHandOverCodeError {
    /// The code is unknown, expired or used, or the session that created it has ended.
    #[error("invalid code")]
    InvalidCode,
    /// Another consumer is signed in on the device. The code stays valid.
    #[error("another consumer is signed in")]
    OtherConsumer,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(ExchangeHandOverCodeError);

impl From<ExchangeHandOverCodeError> for ServiceError {
    fn from(error: ExchangeHandOverCodeError) -> Self {
        match error {
            ExchangeHandOverCodeError::InvalidCode => Self::new(
                ErrorCode::RuleViolation,
                "HAND_OVER_CODE_INVALID",
                "That link has expired. Please sign in.",
            )
            .with_field("code"),
            ExchangeHandOverCodeError::OtherConsumer => Self::new(
                ErrorCode::Conflict,
                "OTHER_CONSUMER_SIGNED_IN",
                "Another account is signed in on this device.",
            ),
            ExchangeHandOverCodeError::Internal(error) => error.into(),
        }
    }
}

/// Exchanges a code for a new session, once.
pub async fn exchange_hand_over_code(
    cx: &Accounts,
    command: &ExchangeHandOverCode,
) -> Result<NewSession, ExchangeHandOverCodeError> {
    let now = cx.clock.now();
    let code_hash = secret::token_hash(&command.code);
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let code = hand_over_codes::find_valid(&mut tx, &code_hash, now)
        .await?
        .ok_or(ExchangeHandOverCodeError::InvalidCode)?;
    let is_other = command
        .current_consumer
        .is_some_and(|current| current != code.consumer_id);
    if is_other && !command.replaces_consumer {
        return Err(ExchangeHandOverCodeError::OtherConsumer);
    }
    // Before the code is deleted: a removal locks the consumer first as well.
    let profile = consumers::lock_against_removal(&mut tx, code.consumer_id).await?;
    let (true, Some(profile)) = (hand_over_codes::delete(&mut tx, &code_hash).await?, profile) else {
        return Err(ExchangeHandOverCodeError::InvalidCode);
    };
    let device = DeviceHash::of(cx, &command.device_id);
    let device_name = device_name(&command.user_agent);
    let session = start_session(
        cx,
        &mut tx,
        profile,
        device.as_ref(),
        &device_name,
        code.journey_step,
    )
    .await?;
    tx.commit().await?;
    Ok(session)
}
