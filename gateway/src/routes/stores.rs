//! Stores.

use axum::extract::State;
use proto::stores::v1 as stores;
use proto::values::v1::Position;
use types::limits::{MAX_MAP_SPAN_DEGREES, MAX_SEARCH_TERM_CHARS};

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::{OptionalConsumer, Query, validate_max_chars};
use crate::gateway::Gateway;
use crate::response::{ApiResponse, CacheableResponse};
use crate::types::store::{PickupOptions, Store, StoreList, StoreMap, StoreStatus};
use crate::types::store_query::{
    ListStoresQuery, MapStoresQuery, PickupOptionsQuery, SearchStoresQuery, StoreCardQuery, StoreQuery,
    position,
};

const DEFAULT_TAKE: u32 = 20;

/// Lists stores, nearest first.
#[utoipa::path(get, path = "/api/consumer/stores/list", tag = "stores", params(ListStoresQuery),
    responses((status = 200, body = ApiResponse<StoreList>)))]
pub(crate) async fn list_stores(
    State(gateway): State<Gateway>,
    consumer: OptionalConsumer,
    Query(query): Query<ListStoresQuery>,
) -> Result<CacheableResponse<StoreList>, ApiError> {
    let favorites_only = query.favorites.unwrap_or_default();
    if favorites_only && !consumer.is_signed_in {
        return Err(ApiError::unauthenticated());
    }
    let request = stores::ListStoresRequest {
        position: position(query.lat, query.lon)?,
        curbside_only: query.curb.unwrap_or_default(),
        page: Some(query.page().with_default(DEFAULT_TAKE)?),
        company_id: query.company_id.unwrap_or_default(),
        favorites_only,
    };
    let mut client = gateway.clients.stores(&consumer.context);
    let list = client.list_stores(request).await?.into_inner().try_into()?;
    Ok(CacheableResponse::with_favorites(list, consumer.is_signed_in))
}

/// Searches stores by store, company, street or city name. Typos are tolerated.
#[utoipa::path(get, path = "/api/consumer/stores/search", tag = "stores", params(SearchStoresQuery),
    responses((status = 200, body = ApiResponse<StoreList>)))]
pub(crate) async fn search_stores(
    State(gateway): State<Gateway>,
    consumer: OptionalConsumer,
    Query(query): Query<SearchStoresQuery>,
) -> Result<CacheableResponse<StoreList>, ApiError> {
    let request = stores::SearchStoresRequest {
        position: position(query.lat, query.lon)?,
        curbside_only: query.curb.unwrap_or_default(),
        page: Some(query.page().with_default(DEFAULT_TAKE)?),
        term: validate_max_chars(query.term, MAX_SEARCH_TERM_CHARS, "term")?,
    };
    let mut client = gateway.clients.stores(&consumer.context);
    let list = client.search_stores(request).await?.into_inner().try_into()?;
    Ok(CacheableResponse::with_favorites(list, consumer.is_signed_in))
}

/// Returns the stores and clusters of a map view.
#[utoipa::path(get, path = "/api/consumer/stores/map", tag = "stores", params(MapStoresQuery),
    responses((status = 200, body = ApiResponse<StoreMap>)))]
pub(crate) async fn map_stores(
    State(gateway): State<Gateway>,
    consumer: OptionalConsumer,
    Query(query): Query<MapStoresQuery>,
) -> Result<CacheableResponse<StoreMap>, ApiError> {
    let span_degrees = query.span.unwrap_or_default();
    if !(0.0..=f64::from(MAX_MAP_SPAN_DEGREES)).contains(&span_degrees) {
        let message = format!("span must be between 0 and {MAX_MAP_SPAN_DEGREES}.");
        return Err(ApiError::invalid_request("MALFORMED_QUERY", message));
    }
    let request = stores::MapStoresRequest {
        center: position(Some(query.lat), Some(query.lon))?,
        span_degrees,
        curbside_only: query.curb.unwrap_or_default(),
    };
    let mut client = gateway.clients.stores(&consumer.context);
    let map = client.map_stores(request).await?.into_inner().try_into()?;
    Ok(CacheableResponse::with_favorites(map, consumer.is_signed_in))
}

/// Returns a store with its distance from a position.
#[utoipa::path(get, path = "/api/consumer/store/card", tag = "stores", params(StoreCardQuery),
    responses((status = 200, body = ApiResponse<Store>)))]
pub(crate) async fn get_store_card(
    State(gateway): State<Gateway>,
    consumer: OptionalConsumer,
    Query(query): Query<StoreCardQuery>,
) -> Result<CacheableResponse<Store>, ApiError> {
    let position = position(query.lat, query.lon)?;
    let store = fetch_store(&gateway, &consumer, query.store_id, position).await?;
    Ok(CacheableResponse::with_favorites(
        store.try_into()?,
        consumer.is_signed_in,
    ))
}

/// Returns a store.
#[utoipa::path(get, path = "/api/consumer/store/info", tag = "stores", params(StoreQuery),
    responses((status = 200, body = ApiResponse<Store>)))]
pub(crate) async fn get_store(
    State(gateway): State<Gateway>,
    consumer: OptionalConsumer,
    Query(query): Query<StoreQuery>,
) -> Result<CacheableResponse<Store>, ApiError> {
    let store = fetch_store(&gateway, &consumer, query.store_id, None).await?;
    Ok(CacheableResponse::with_favorites(
        store.try_into()?,
        consumer.is_signed_in,
    ))
}

/// Returns whether a store accepts orders now.
#[utoipa::path(get, path = "/api/consumer/store/status", tag = "stores", params(StoreQuery),
    responses((status = 200, body = ApiResponse<StoreStatus>)))]
pub(crate) async fn get_store_status(
    State(gateway): State<Gateway>,
    consumer: OptionalConsumer,
    Query(query): Query<StoreQuery>,
) -> Result<CacheableResponse<StoreStatus>, ApiError> {
    let store = fetch_store(&gateway, &consumer, query.store_id, None).await?;
    Ok(CacheableResponse::with_favorites(
        store.try_into()?,
        consumer.is_signed_in,
    ))
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

async fn fetch_store(
    gateway: &Gateway,
    consumer: &OptionalConsumer,
    store_id: String,
    position: Option<Position>,
) -> Result<stores::Store, ApiError> {
    let request = stores::GetStoreRequest { store_id, position };
    let mut client = gateway.clients.stores(&consumer.context);
    Ok(client.get_store(request).await?.into_inner())
}
