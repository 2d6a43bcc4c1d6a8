//! Issues a credential with which the systems of stores sign in.

use std::io;

use kit::InternalError;
use secrecy::{ExposeSecret, SecretString};
use types::{CredentialId, StoreId};

use crate::{
    Stores, db,
    domain::{capacity::slot_at, credential::StoreCredential, secret},
    output::print_line,
};

#[derive(Debug, thiserror::Error)]
pub enum IssueCredentialError {
    #[error("unknown store: {0}")]
    StoreUnknown(StoreId),
    #[error("the secret cannot be printed, so that no credential was issued: {0}")]
    Output(#[from] io::Error),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(IssueCredentialError);

/// Returns the id and the secret of a new credential, which are printed before the commit. Only the hash of the secret is stored.
///
/// # Errors
/// [`IssueCredentialError::StoreUnknown`] if a store does not exist.
pub async fn issue_credential(
    cx: &Stores,
    label: &str,
    mut store_ids: Vec<StoreId>,
    print: impl FnOnce(CredentialId, &SecretString) -> io::Result<()>,
) -> Result<(CredentialId, SecretString), IssueCredentialError> {
    store_ids.sort_unstable();
    store_ids.dedup();
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let slot = slot_at(now);
    let known = db::stores::by_ids(&mut tx, &store_ids, None, slot..=slot).await?;
    if let Some(unknown) = store_ids
        .iter()
        .find(|id| known.iter().all(|snapshot| snapshot.store.id != **id))
    {
        return Err(IssueCredentialError::StoreUnknown(*unknown));
    }
    let secret = secret::generate(&mut rand::rng());
    let credential = StoreCredential {
        id: CredentialId::new(now),
        all_stores: false,
        store_ids,
    };
    db::credentials::insert(&mut tx, &credential, &secret::hash(&secret), label, now).await?;
    print(credential.id, &secret)?;
    tx.commit().await?;
    Ok((credential.id, secret))
}

/// Issues a credential and prints its id and its secret to standard output, separated by a tab.
pub(crate) async fn print_credential(
    cx: &Stores,
    label: &str,
    store_ids: Vec<StoreId>,
) -> anyhow::Result<()> {
    let print = |id: CredentialId, secret: &SecretString| {
        print_line(format_args!("{id}\t{}", secret.expose_secret()))
    };
    issue_credential(cx, label, store_ids, print).await?;
    Ok(())
}
