//! Encodes companies.

use proto::stores::v1 as pb;
use types::CompanyId;

use crate::domain::company::{CityLocation, CompanyView};

pub(crate) fn company(company: CompanyView) -> pb::Company {
    pb::Company {
        company_id: company.id.to_string(),
        name: company.name,
        description: company.description,
        store_count: company.store_count,
    }
}

pub(crate) fn locations(
    (company_id, locations): (CompanyId, Vec<CityLocation>),
) -> pb::ListLocationsResponse {
    let location = |location: CityLocation| pb::Location {
        city: location.city,
        region: location.region,
        store_count: location.store_count,
    };
    pb::ListLocationsResponse {
        company_id: company_id.to_string(),
        locations: locations.into_iter().map(location).collect(),
    }
}
