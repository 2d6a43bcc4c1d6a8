//! Stores.

use axum::extract::State;
use axum::response::Response;
use proto::stores::v1 as stores;
use proto::values::v1::Position;
use types::limits::{MAX_MAP_SPAN_DEGREES, MAX_SEARCH_TERM_CHARS};

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::{ClientAddress, OptionalConsumer, Query, validate_max_chars};
use crate::gateway::Gateway;
use crate::public_reads::PublicResponse;
use crate::response::ApiResponse;
use crate::types::store::{PickupOptions, Store, StoreList, StoreMap, StoreStatus};
use crate::types::store_query::{
    ListStoresQuery, MapStoresQuery, PickupOptionsQuery, SearchStoresQuery, StoreCardQuery, StoreQuery,
    position,
};

const DEFAULT_TAKE: u32 = 20;

/// Returns the approximate position of the client's address if the request has no position.
fn approximate_position(
    gateway: &Gateway,
    position: Option<Position>,
    address: ClientAddress,
) -> Option<Position> {
    position.map_or_else(|| gateway.geo_ip.position(address.0), |_| None)
}

/// Lists stores, nearest first.
#[utoipa::path(get, path = "/api/consumer/stores/list", tag = "stores", params(ListStoresQuery),
    responses((status = 200, body = ApiResponse<StoreList>)))]
pub(crate) async fn list_stores(
    State(gateway): State<Gateway>,
    consumer: OptionalConsumer,
    address: ClientAddress,
    Query(query): Query<ListStoresQuery>,
) -> Result<Response, ApiError> {
    if query.favorites.unwrap_or_default() && consumer.id()?.is_none() {
        return Err(ApiError::unauthenticated());
    }
    list_nearest(&gateway, &consumer, address, query).await
}

/// Lists the selected stores from the requested position, or from the approximate position of the client.
pub(super) async fn list_nearest(
    gateway: &Gateway,
    consumer: &OptionalConsumer,
    address: ClientAddress,
    query: ListStoresQuery,
) -> Result<Response, ApiError> {
    let position = position(query.lat, query.lon)?;
    let request = stores::ListStoresRequest {
        position,
        approximate_position: approximate_position(gateway, position, address),
        curbside_only: query.curb.unwrap_or_default(),
        page: Some(query.page().with_default(DEFAULT_TAKE)?),
        company_id: query.company_id.unwrap_or_default(),
        favorites_only: query.favorites.unwrap_or_default(),
    };
    gateway
        .public_reads
        .get_with_favorites::<_, StoreList>(&consumer.context, consumer.is_signed_in(), request)
        .await
}

/// Searches stores by store, company, street, city, state or postcode, nearest first. Typos are tolerated.
#[utoipa::path(get, path = "/api/consumer/stores/search", tag = "stores", params(SearchStoresQuery),
    responses((status = 200, body = ApiResponse<StoreList>)))]
pub(crate) async fn search_stores(
    State(gateway): State<Gateway>,
    consumer: OptionalConsumer,
    address: ClientAddress,
    Query(query): Query<SearchStoresQuery>,
) -> Result<Response, ApiError> {
    let position = position(query.lat, query.lon)?;
    let request = stores::SearchStoresRequest {
        position,
        approximate_position: approximate_position(&gateway, position, address),
        curbside_only: query.curb.unwrap_or_default(),
        page: Some(query.page().with_default(DEFAULT_TAKE)?),
        term: validate_max_chars(query.term, MAX_SEARCH_TERM_CHARS, "term")?,
    };
    gateway
        .public_reads
        .get_with_favorites::<_, StoreList>(&consumer.context, consumer.is_signed_in(), request)
        .await
}

/// Returns the stores and clusters of a map view.
#[utoipa::path(get, path = "/api/consumer/stores/map", tag = "stores", params(MapStoresQuery),
    responses((status = 200, body = ApiResponse<StoreMap>)))]
pub(crate) async fn map_stores(
    State(gateway): State<Gateway>,
    consumer: OptionalConsumer,
    Query(query): Query<MapStoresQuery>,
) -> Result<Response, ApiError> {
    let span_degrees = query.span.unwrap_or_default();
    if !(0.0..=f64::from(MAX_MAP_SPAN_DEGREES)).contains(&span_degrees) {
        let message = format!("span must be between 0 and {MAX_MAP_SPAN_DEGREES}.");
        return Err(ApiError::invalid_request("MALFORMED_QUERY", message).with_field("span"));
    }
    let request = stores::MapStoresRequest {
        center: position(Some(query.lat), Some(query.lon))?,
        span_degrees,
        curbside_only: query.curb.unwrap_or_default(),
    };
    gateway
        .public_reads
        .get_with_favorites::<_, StoreMap>(&consumer.context, consumer.is_signed_in(), request)
        .await
}

/// Returns a store with its distance from a position.
#[utoipa::path(get, path = "/api/consumer/store/card", tag = "stores", params(StoreCardQuery),
    responses((status = 200, body = ApiResponse<Store>)))]
pub(crate) async fn get_store_card(
    State(gateway): State<Gateway>,
    consumer: OptionalConsumer,
    Query(query): Query<StoreCardQuery>,
) -> Result<Response, ApiError> {
    let request = stores::GetStoreRequest {
        position: position(query.lat, query.lon)?,
        store_id: query.store_id,
    };
    gateway
        .public_reads
        .get_with_favorites::<_, Store>(&consumer.context, consumer.is_signed_in(), request)
        .await
}

/// Returns a store.
#[utoipa::path(get, path = "/api/consumer/store/info", tag = "stores", params(StoreQuery),
    responses((status = 200, body = ApiResponse<Store>)))]
pub(crate) async fn get_store(
    State(gateway): State<Gateway>,
    consumer: OptionalConsumer,
    Query(query): Query<StoreQuery>,
) -> Result<Response, ApiError> {
    let request = stores::GetStoreRequest::from(query);
    gateway
        .public_reads
        .get_with_favorites::<_, Store>(&consumer.context, consumer.is_signed_in(), request)
        .await
}

/// Returns whether a store accepts orders now.
#[utoipa::path(get, path = "/api/consumer/store/status", tag = "stores", params(StoreQuery),
    responses((status = 200, body = ApiResponse<StoreStatus>)))]
pub(crate) async fn get_store_status(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<StoreQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = stores::GetStoreRequest::from(query);
    gateway
        .public_reads
        .get::<_, StoreStatus>(&context, request)
        .await
}

/// Returns how and when an order can be picked up at a store.
#[utoipa::path(get, path = "/api/consumer/store/pickup-options", tag = "stores", params(PickupOptionsQuery),
    responses((status = 200, body = ApiResponse<PickupOptions>)))]
pub(crate) async fn get_pickup_options(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<PickupOptionsQuery>,
) -> Result<ApiResponse<PickupOptions>, ApiError> {
    let request = stores::GetPickupOptionsRequest {
        store_id: query.store_id,
        make_seconds: query.make_seconds.unwrap_or_default(),
    };
    let mut client = gateway.clients.stores(&context);
    let options = client.get_pickup_options(request).await?;
    Ok(ApiResponse::new(options.into_inner().into()))
}
