//! Makes a secret that a store's own systems sign in with.

use kit::InternalError;
use secrecy::{ExposeSecret, SecretString};
use types::{CredentialId, StoreId};

use crate::{
    Stores,
    db::{self, credentials::Credential},
    domain::{capacity::slice_of, secret},
};

/// Why no credential was made.
#[derive(Debug, thiserror::Error)]
pub enum IssueError {
    /// One of the stores is not there.
    #[error("no such store: {0}")]
    StoreUnknown(StoreId),
    /// Nobody's decision.
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(IssueError);

/// Makes a credential for these stores. Its secret is kept nowhere.
///
/// # Errors
/// [`IssueError::StoreUnknown`].
pub async fn issue_credential(
    cx: &Stores,
    label: &str,
    mut stores: Vec<StoreId>,
) -> Result<SecretString, IssueError> {
    stores.sort_unstable();
    stores.dedup();
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    let slice = slice_of(now);
    let known = db::stores::by_ids(&mut tx, &stores, None, slice..=slice).await?;
    if let Some(unknown) = stores
        .iter()
        .find(|id| known.iter().all(|moment| moment.store.id != **id))
    {
        return Err(IssueError::StoreUnknown(*unknown));
    }
    let fresh = secret::fresh(&mut rand::rng());
    let credential = Credential {
        id: CredentialId::new(now),
        all_stores: false,
        stores,
    };
    db::credentials::add(&mut tx, &credential, &secret::hash(&fresh), label, now).await?;
    tx.commit().await?;
    Ok(fresh)
}

/// Makes a credential and prints its secret, this once.
///
/// # Errors
/// As [`issue_credential`].
pub async fn print(cx: &Stores, label: &str, stores: Vec<StoreId>) -> anyhow::Result<()> {
    let secret = issue_credential(cx, label, stores).await?;
    println!("{}", secret.expose_secret());
    Ok(())
}
