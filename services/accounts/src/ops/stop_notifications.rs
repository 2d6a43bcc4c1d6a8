use kit::{ErrorCode, InternalError, ServiceError};

use crate::{
    Accounts,
    db::settings,
    domain::{notification::Channel, settings::SaveSettings, stop_token::read_stop_token},
};

#[derive(Debug, thiserror::Error)]
pub enum StopNotificationsError {
    #[error("invalid token")]
    InvalidToken,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(StopNotificationsError);

impl From<StopNotificationsError> for ServiceError {
    fn from(error: StopNotificationsError) -> Self {
        match error {
            StopNotificationsError::InvalidToken => Self::new(
                ErrorCode::RuleViolation,
                "STOP_TOKEN_INVALID",
                "This link isn't complete. You can turn notifications off in your settings.",
            )
            .with_field("token"),
            StopNotificationsError::Internal(error) => error.into(),
        }
    }
}

/// Turns off the channel of a notification with its token. Succeeds as well if the consumer was removed.
pub async fn stop_notifications(cx: &Accounts, token: &str) -> Result<Channel, StopNotificationsError> {
    let (consumer, channel) =
        read_stop_token(&cx.secret, token).ok_or(StopNotificationsError::InvalidToken)?;
    let off = |of| (channel == of).then_some(false);
    let command = SaveSettings {
        push: off(Channel::Push),
        sms: off(Channel::Sms),
        email: off(Channel::Email),
        ..SaveSettings::default()
    };
    let mut conn = cx.pool.acquire().await?;
    settings::update(&mut conn, consumer, &command).await?;
    Ok(channel)
}
