//! Returns a company.

use kit::{InternalError, ServiceError};
use types::CompanyId;

use crate::{Stores, db, domain::company::CompanyView, not_found};

/// Error of operations on one company.
#[derive(Debug, thiserror::Error)]
pub enum GetCompanyError {
    #[error("unknown company")]
    CompanyUnknown,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(GetCompanyError);

impl From<GetCompanyError> for ServiceError {
    fn from(error: GetCompanyError) -> Self {
        match error {
            GetCompanyError::CompanyUnknown => not_found::company(),
            GetCompanyError::Internal(error) => error.into(),
        }
    }
}

pub(crate) async fn get_company(cx: &Stores, company_id: CompanyId) -> Result<CompanyView, GetCompanyError> {
    let mut conn = cx.pool.acquire().await?;
    db::companies::find(&mut conn, company_id)
        .await?
        .ok_or(GetCompanyError::CompanyUnknown)
}
