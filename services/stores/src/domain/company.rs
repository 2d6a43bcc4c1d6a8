//! Companies that run stores.

use types::CompanyId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Company {
    pub(crate) id: CompanyId,
    pub(crate) name: String,
}

/// Finds a company by its id or its exact name.
#[must_use]
pub(crate) fn find(companies: &[Company], id_or_name: &str) -> Option<CompanyId> {
    let id: Option<CompanyId> = id_or_name.parse().ok();
    companies
        .iter()
        .find(|company| Some(company.id) == id || company.name == id_or_name)
        .map(|company| company.id)
}
