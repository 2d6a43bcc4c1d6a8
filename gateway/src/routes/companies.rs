//! Companies and their stores.

use axum::extract::State;
use axum::response::Response;
use proto::stores::v1 as stores;
use types::limits::MAX_SEARCH_TERM_CHARS;

use super::stores::{DEFAULT_TAKE, approximate_position};
use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::{ClientAddress, OptionalConsumer, Query, validate_max_chars};
use crate::gateway::Gateway;
use crate::public_reads::PublicResponse;
use crate::response::ApiResponse;
use crate::types::company::{Company, CompanyQuery, CompanyStoresQuery, LocationList, LocationsQuery};
use crate::types::store::StoreList;
use crate::types::store_query::position;

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
    let position = position(query.lat, query.lon)?;
    let request = stores::ListStoresRequest {
        position,
        approximate_position: approximate_position(&gateway, position, address),
        curbside_only: query.curb.unwrap_or_default(),
        page: Some(query.page().with_default(DEFAULT_TAKE)?),
        // The list of stores has no filter for an empty id.
        company_id: if query.company_id.is_empty() {
            "-".to_owned()
        } else {
            query.company_id
        },
        favorites_only: false,
    };
    gateway
        .public_reads
        .get_with_favorites::<_, StoreList>(&consumer.context, consumer.is_signed_in, request)
        .await
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
