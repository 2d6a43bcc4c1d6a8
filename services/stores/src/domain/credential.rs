//! Credentials with which the systems of stores sign in.

use jiff::Timestamp;
use types::{CredentialId, StoreId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreCredential {
    pub id: CredentialId,
    /// Gives access to every store. Only for the development simulator.
    pub all_stores: bool,
    /// Empty if `all_stores` is set.
    pub store_ids: Vec<StoreId>,
}

/// A credential as it is listed. Its secret is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCredential {
    pub credential: StoreCredential,
    pub label: String,
    pub created_at: Timestamp,
}
