//! Companies that run stores.

use types::CompanyId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Company {
    pub(crate) id: CompanyId,
    pub(crate) name: String,
}

/// A company as consumers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CompanyView {
    pub(crate) id: CompanyId,
    pub(crate) name: String,
    /// For consumers; may be empty.
    pub(crate) description: String,
    pub(crate) store_count: i64,
}

/// A city with stores of a company.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CityLocation {
    pub(crate) city: String,
    /// The state, two letters.
    pub(crate) region: String,
    pub(crate) store_count: i64,
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
