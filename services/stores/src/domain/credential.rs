//! Credentials with which the systems of stores sign in.

use types::{CredentialId, StoreId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreCredential {
    pub(crate) id: CredentialId,
    /// Gives access to every store. Only for the development simulator.
    pub(crate) all_stores: bool,
    /// Empty if `all_stores` is set.
    pub(crate) store_ids: Vec<StoreId>,
}
