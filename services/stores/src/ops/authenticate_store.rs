//! Finds the stores that a store credential gives access to.

use kit::{ErrorCode, InternalError, ServiceError};
use secrecy::SecretString;

use crate::{
    Stores, db,
    domain::{credential::StoreCredential, secret},
};

#[derive(Debug, thiserror::Error)]
pub(crate) enum AuthenticateStoreError {
    #[error("unknown store credential")]
    CredentialUnknown,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(AuthenticateStoreError);

impl From<AuthenticateStoreError> for ServiceError {
    fn from(error: AuthenticateStoreError) -> Self {
        match error {
            AuthenticateStoreError::CredentialUnknown => Self::new(
                ErrorCode::Unauthenticated,
                "CREDENTIAL_UNKNOWN",
                "That store credential isn't valid.",
            ),
            AuthenticateStoreError::Internal(error) => error.into(),
        }
    }
}

pub(crate) async fn authenticate_store(
    cx: &Stores,
    secret: &SecretString,
) -> Result<StoreCredential, AuthenticateStoreError> {
    let mut conn = cx.pool.acquire().await?;
    db::credentials::find_by_hash(&mut conn, &secret::hash(secret))
        .await?
        .ok_or(AuthenticateStoreError::CredentialUnknown)
}
