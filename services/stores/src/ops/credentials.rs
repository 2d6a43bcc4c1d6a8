//! Lists and revokes credentials with which the systems of stores sign in.

use kit::InternalError;
use types::{CredentialId, StoreId};

use crate::{Stores, db, domain::credential::ListedCredential};

#[derive(Debug, thiserror::Error)]
pub enum RevokeCredentialError {
    #[error("unknown credential")]
    Unknown,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(RevokeCredentialError);

/// Lists the credentials that give access to a store, or all of them.
pub async fn list_credentials(
    cx: &Stores,
    store_id: Option<StoreId>,
) -> Result<Vec<ListedCredential>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(db::credentials::list(&mut conn, store_id).await?)
}

/// Gateways accept a credential that they know for up to a minute longer.
///
/// # Errors
/// [`RevokeCredentialError::Unknown`] if there is no such credential.
pub async fn revoke_credential(cx: &Stores, id: CredentialId) -> Result<(), RevokeCredentialError> {
    let mut conn = cx.pool.acquire().await?;
    if db::credentials::delete(&mut conn, id).await? {
        Ok(())
    } else {
        Err(RevokeCredentialError::Unknown)
    }
}
