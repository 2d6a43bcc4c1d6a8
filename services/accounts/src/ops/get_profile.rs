use kit::{InternalError, ServiceError};
use types::ConsumerId;

use crate::{Accounts, db::consumers, domain::profile::Profile};

#[derive(Debug, thiserror::Error)]
pub enum GetProfileError {
    #[error("consumer not found")]
    NotFound,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(GetProfileError);

impl From<GetProfileError> for ServiceError {
    fn from(error: GetProfileError) -> Self {
        match error {
            GetProfileError::NotFound => super::consumer_unknown(),
            GetProfileError::Internal(error) => error.into(),
        }
    }
}

/// Returns the consumer's own profile.
pub async fn get_profile(cx: &Accounts, consumer: ConsumerId) -> Result<Profile, GetProfileError> {
    let mut conn = cx.pool.acquire().await?;
    consumers::find(&mut conn, consumer)
        .await?
        .ok_or(GetProfileError::NotFound)
}
