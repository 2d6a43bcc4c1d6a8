//! Who a consumer is.

use kit::{ErrorCode, InternalError, ServiceError};
use proto::accounts::v1 as pb;
use types::ConsumerId;

use crate::{
    Accounts,
    db::consumers::{self, Row},
};

/// Why there is no profile.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The consumer is gone.
    #[error("no such consumer")]
    Unknown,
    /// Something broke.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(ProfileError);

impl From<ProfileError> for ServiceError {
    fn from(error: ProfileError) -> Self {
        match error {
            ProfileError::Unknown => Self::new(
                ErrorCode::NotFound,
                "CONSUMER_UNKNOWN",
                "We do not know this account.",
            ),
            ProfileError::Internal(fault) => fault.into(),
        }
    }
}

/// A consumer's own profile.
///
/// # Errors
/// [`ProfileError`].
pub async fn get_profile(cx: &Accounts, consumer: ConsumerId) -> Result<pb::Profile, ProfileError> {
    let mut conn = cx.pool.acquire().await?;
    let row = consumers::find(&mut conn, consumer)
        .await?
        .ok_or(ProfileError::Unknown)?;
    Ok(profile(row))
}

/// Row to proto.
#[must_use]
pub fn profile(row: Row) -> pb::Profile {
    pb::Profile {
        consumer_id: ConsumerId::from_uuid(row.id).to_string(),
        email: row.email,
        first_name: row.first_name,
        last_name: row.last_name,
        phone: row.phone,
        share_code: row.share_code,
        created_at: row.created_at.to_jiff().to_string(),
    }
}
