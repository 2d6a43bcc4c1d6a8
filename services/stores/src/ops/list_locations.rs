//! Lists the cities with stores of a company.

use types::CompanyId;

use super::get_company::GetCompanyError;
use crate::{Stores, db, domain::company::CityLocation};

/// Returns the company and its cities, those with the most stores first.
pub(crate) async fn list_locations(
    cx: &Stores,
    company_name: &str,
) -> Result<(CompanyId, Vec<CityLocation>), GetCompanyError> {
    let mut conn = cx.pool.acquire().await?;
    let company_id = db::companies::find_by_name(&mut conn, company_name.trim())
        .await?
        .ok_or(GetCompanyError::CompanyUnknown)?;
    Ok((company_id, db::companies::locations(&mut conn, company_id).await?))
}
