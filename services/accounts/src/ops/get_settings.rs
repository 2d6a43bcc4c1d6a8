use kit::{InternalError, ServiceError};
use types::ConsumerId;

use crate::{Accounts, db::settings, domain::settings::Settings};

#[derive(Debug, thiserror::Error)]
pub enum GetSettingsError {
    #[error("consumer not found")]
    NotFound,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(GetSettingsError);

impl From<GetSettingsError> for ServiceError {
    fn from(error: GetSettingsError) -> Self {
        match error {
            GetSettingsError::NotFound => super::consumer_unknown(),
            GetSettingsError::Internal(error) => error.into(),
        }
    }
}

/// Returns the consumer's own settings.
pub async fn get_settings(cx: &Accounts, consumer: ConsumerId) -> Result<Settings, GetSettingsError> {
    let mut conn = cx.pool.acquire().await?;
    settings::find(&mut conn, consumer)
        .await?
        .ok_or(GetSettingsError::NotFound)
}
