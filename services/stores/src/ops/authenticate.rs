//! Says which stores a credential speaks for.

use kit::{ErrorCode, InternalError, ServiceError};
use secrecy::SecretString;

use crate::{
    Stores,
    db::{self, credentials::Credential},
    domain::secret,
};

/// Why a credential is not taken.
#[derive(Debug, thiserror::Error)]
pub enum AuthenticateError {
    /// Nobody's.
    #[error("unknown credential")]
    Unknown,
    /// Nobody's decision.
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(AuthenticateError);

impl From<AuthenticateError> for ServiceError {
    fn from(error: AuthenticateError) -> Self {
        match error {
            AuthenticateError::Unknown => Self::new(
                ErrorCode::Unauthenticated,
                "CREDENTIAL_UNKNOWN",
                "This store credential is not known.",
            ),
            AuthenticateError::Internal(fault) => fault.into(),
        }
    }
}

/// The credential of a secret.
///
/// # Errors
/// [`AuthenticateError::Unknown`].
pub async fn authenticate(cx: &Stores, presented: &SecretString) -> Result<Credential, AuthenticateError> {
    let mut conn = cx.pool.acquire().await?;
    db::credentials::by_hash(&mut conn, &secret::hash(presented))
        .await?
        .ok_or(AuthenticateError::Unknown)
}
