//! Finds the stores that a store credential or the session of a store's staff gives access to.

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
    let hash = secret::hash(secret);
    if let Some(credential) = db::credentials::find_by_hash(&mut conn, &hash).await? {
        return Ok(credential);
    }
    db::staff::find_session(&mut conn, &hash, cx.clock.now())
        .await?
        .ok_or(AuthenticateStoreError::CredentialUnknown)
}
