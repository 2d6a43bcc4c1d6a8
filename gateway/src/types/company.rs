//! Companies.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::convert_all;
use super::store_query::ListStoresQuery;

/// A company that runs stores.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Company {
    pub(crate) company_id: String,
    pub(crate) name: String,
    /// A sentence or two; may be empty.
    pub(crate) description: String,
    pub(crate) store_count: i64,
}

impl From<stores::Company> for Company {
    fn from(company: stores::Company) -> Self {
        Self {
            company_id: company.company_id,
            name: company.name,
            description: company.description,
            store_count: company.store_count,
        }
    }
}

/// The cities in which a company has stores.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LocationList {
    pub(crate) company_id: String,
    /// Sorted by number of stores, highest first; up to 500.
    pub(crate) locations: Vec<Location>,
}

impl From<stores::ListLocationsResponse> for LocationList {
    fn from(list: stores::ListLocationsResponse) -> Self {
        Self {
            company_id: list.company_id,
            locations: convert_all(list.locations),
        }
    }
}

/// A city with stores.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Location {
    pub(crate) city: String,
    /// State.
    pub(crate) region: String,
    pub(crate) store_count: i64,
}

impl From<stores::Location> for Location {
    fn from(location: stores::Location) -> Self {
        Self {
            city: location.city,
            region: location.region,
            store_count: location.store_count,
        }
    }
}

/// Selects a company.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyQuery {
    pub(crate) company_id: String,
}

/// Selects a company by its name.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct LocationsQuery {
    /// The full name; case-insensitive.
    pub(crate) company_name: String,
}

/// Selects the stores of a company.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyStoresQuery {
    pub(crate) company_id: String,
    /// WGS 84 degrees. Give `lat` and `lon`, or neither for the position of the client's address or the configured center.
    pub(crate) lat: Option<f64>,
    /// WGS 84 degrees.
    pub(crate) lon: Option<f64>,
    /// Only stores with curbside pickup.
    pub(crate) curb: Option<bool>,
    /// Number of stores, 20 by default.
    pub(crate) take: Option<u32>,
    /// Number of stores to skip.
    pub(crate) skip: Option<u32>,
}

impl From<CompanyStoresQuery> for ListStoresQuery {
    fn from(query: CompanyStoresQuery) -> Self {
        Self {
            lat: query.lat,
            lon: query.lon,
            curb: query.curb,
            company_id: Some(query.company_id),
            favorites: None,
            take: query.take,
            skip: query.skip,
        }
    }
}
