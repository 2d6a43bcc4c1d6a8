use kit::{ErrorCode, InternalError, ServiceError};

use crate::{Accounts, db::consumers, domain::share_code::ShareCode};

#[derive(Debug, thiserror::Error)]
pub enum GetShareCodeError {
    #[error("unknown share code")]
    Unknown,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(GetShareCodeError);

impl From<GetShareCodeError> for ServiceError {
    fn from(error: GetShareCodeError) -> Self {
        match error {
            GetShareCodeError::Unknown => Self::new(
                ErrorCode::NotFound,
                "SHARE_CODE_UNKNOWN",
                "That invitation isn't valid anymore.",
            )
            .with_field("shareCode"),
            GetShareCodeError::Internal(error) => error.into(),
        }
    }
}

/// Returns who shares a code.
///
/// # Errors
/// [`GetShareCodeError::Unknown`] if the code does not exist, or its owner was removed.
pub async fn get_share_code(cx: &Accounts, typed_code: &str) -> Result<ShareCode, GetShareCodeError> {
    let code = ShareCode::normalize(typed_code).ok_or(GetShareCodeError::Unknown)?;
    let mut conn = cx.pool.acquire().await?;
    consumers::find_by_share_code(&mut conn, &code)
        .await?
        .ok_or(GetShareCodeError::Unknown)
}
