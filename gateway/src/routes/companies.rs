//! Companies and their stores.

use axum::extract::State;
use axum::response::Response;
use kit::ErrorCode;
use proto::stores::v1 as stores;
use types::limits::MAX_SEARCH_TERM_CHARS;

use super::stores::list_nearest;
use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::{ClientAddress, OptionalConsumer, Query, validate_max_chars};
use crate::gateway::Gateway;
use crate::public_reads::PublicResponse;
use crate::response::ApiResponse;
use crate::types::company::{Company, CompanyQuery, CompanyStoresQuery, LocationList, LocationsQuery};
use crate::types::store::StoreList;

/// Returns a company.
#[utoipa::path(get, path = "/api/consumer/store/company-info", tag = "stores", params(CompanyQuery),
    responses((status = 200, body = ApiResponse<Company>)))]
pub(crate) async fn get_company(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<CompanyQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = stores::GetCompanyRequest {
        company_id: query.company_id,
    };
    gateway.public_reads.get::<_, Company>(&context, request).await
}

/// Lists the stores of a company, nearest first.
#[utoipa::path(get, path = "/api/consumer/company/stores", tag = "stores", params(CompanyStoresQuery),
    responses((status = 200, body = ApiResponse<StoreList>)))]
pub(crate) async fn list_company_stores(
    State(gateway): State<Gateway>,
    consumer: OptionalConsumer,
    address: ClientAddress,
    Query(query): Query<CompanyStoresQuery>,
) -> Result<Response, ApiError> {
    // An empty id does not filter the list of stores.
    if query.company_id.is_empty() {
        return Err(unknown_company());
    }
    list_nearest(&gateway, &consumer, address, query.into()).await
}

fn unknown_company() -> ApiError {
    ApiError::new(
        ErrorCode::NotFound,
        "COMPANY_UNKNOWN",
        "We couldn't find that company.",
    )
}

/// Lists the cities in which a company has stores.
#[utoipa::path(get, path = "/api/consumer/store/locations", tag = "stores", params(LocationsQuery),
    responses((status = 200, body = ApiResponse<LocationList>)))]
pub(crate) async fn list_locations(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<LocationsQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = stores::ListLocationsRequest {
        company_name: validate_max_chars(query.company_name, MAX_SEARCH_TERM_CHARS, "companyName")?,
    };
    gateway
        .public_reads
        .get::<_, LocationList>(&context, request)
        .await
}
