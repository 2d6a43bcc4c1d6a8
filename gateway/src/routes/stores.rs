//! Stores: near, on a map, by a term, and one by one.

use axum::extract::State;
use proto::stores::v1 as stores;
use proto::values::v1::{Page, Position};
use types::limits::{MAX_MAP_SPAN_DEGREES, MAX_SEARCH_TERM_CHARS};

use crate::caller::{Call, Visitor};
use crate::envelope::{ApiError, ApiResponse, Cacheable};
use crate::extract::{Query, within};
use crate::gateway::Gateway;
use crate::types::PageQuery;
use crate::types::store::{PickupOptions, Store, StoreList, StoreMap, StoreStatus};
use crate::types::store_query::{
    ListStoresQuery, MapStoresQuery, PickupOptionsQuery, SearchStoresQuery, StoreCardQuery, StoreQuery,
    position,
};

/// How many unless told.
const USUAL: u32 = 20;

fn page(take: Option<u32>, skip: Option<u32>) -> Result<Option<Page>, ApiError> {
    Ok(Some(PageQuery { take, skip }.or(USUAL)?))
}

/// Nearest first, by true distance.
#[utoipa::path(get, path = "/api/consumer/stores/list", tag = "stores", params(ListStoresQuery),
    responses((status = 200, body = ApiResponse<StoreList>)))]
pub async fn list_stores(
    State(gateway): State<Gateway>,
    visitor: Visitor,
    Query(query): Query<ListStoresQuery>,
) -> Result<Cacheable<StoreList>, ApiError> {
    let favorites_only = query.favorites.unwrap_or_default();
    if favorites_only && !visitor.signed_in {
        return Err(ApiError::unauthenticated());
    }
    let request = stores::ListStoresRequest {
        position: position(query.lat, query.lon)?,
        curbside_only: query.curb.unwrap_or_default(),
        page: page(query.take, query.skip)?,
        company_id: query.company_id.unwrap_or_default(),
        favorites_only,
    };
    let list = gateway.clients.stores(&visitor.call).list_stores(request).await?;
    Ok(Cacheable::seen_by(list.into_inner().into(), visitor.signed_in))
}

/// By a term, forgiving typos.
#[utoipa::path(get, path = "/api/consumer/stores/search", tag = "stores", params(SearchStoresQuery),
    responses((status = 200, body = ApiResponse<StoreList>)))]
pub async fn search_stores(
    State(gateway): State<Gateway>,
    visitor: Visitor,
    Query(query): Query<SearchStoresQuery>,
) -> Result<Cacheable<StoreList>, ApiError> {
    let request = stores::SearchStoresRequest {
        term: within(query.term, MAX_SEARCH_TERM_CHARS, "term")?,
        position: position(query.lat, query.lon)?,
        curbside_only: query.curb.unwrap_or_default(),
        page: page(query.take, query.skip)?,
    };
    let list = gateway
        .clients
        .stores(&visitor.call)
        .search_stores(request)
        .await?;
    Ok(Cacheable::seen_by(list.into_inner().into(), visitor.signed_in))
}

/// Stores and clusters of a view.
#[utoipa::path(get, path = "/api/consumer/stores/map", tag = "stores", params(MapStoresQuery),
    responses((status = 200, body = ApiResponse<StoreMap>)))]
pub async fn map_stores(
    State(gateway): State<Gateway>,
    visitor: Visitor,
    Query(query): Query<MapStoresQuery>,
) -> Result<Cacheable<StoreMap>, ApiError> {
    let span_degrees = query.span.unwrap_or_default();
    if !(0.0..=f64::from(MAX_MAP_SPAN_DEGREES)).contains(&span_degrees) {
        return Err(ApiError::malformed("MALFORMED_QUERY", "span is 0 to 90 degrees."));
    }
    let request = stores::MapStoresRequest {
        center: position(Some(query.lat), Some(query.lon))?,
        span_degrees,
        curbside_only: query.curb.unwrap_or_default(),
    };
    let map = gateway.clients.stores(&visitor.call).map_stores(request).await?;
    Ok(Cacheable::seen_by(map.into_inner().into(), visitor.signed_in))
}

/// One store, seen from a position.
#[utoipa::path(get, path = "/api/consumer/store/card", tag = "stores", params(StoreCardQuery),
    responses((status = 200, body = ApiResponse<Store>)))]
pub async fn get_store_card(
    State(gateway): State<Gateway>,
    visitor: Visitor,
    Query(query): Query<StoreCardQuery>,
) -> Result<Cacheable<Store>, ApiError> {
    let position = position(query.lat, query.lon)?;
    let store = ask(&gateway, &visitor, query.store_id, position).await?;
    Ok(Cacheable::seen_by(store.into(), visitor.signed_in))
}

/// One store.
#[utoipa::path(get, path = "/api/consumer/store/info", tag = "stores", params(StoreQuery),
    responses((status = 200, body = ApiResponse<Store>)))]
pub async fn get_store(
    State(gateway): State<Gateway>,
    visitor: Visitor,
    Query(query): Query<StoreQuery>,
) -> Result<Cacheable<Store>, ApiError> {
    let store = ask(&gateway, &visitor, query.store_id, None).await?;
    Ok(Cacheable::seen_by(store.into(), visitor.signed_in))
}

/// Whether a store takes orders now.
#[utoipa::path(get, path = "/api/consumer/store/status", tag = "stores", params(StoreQuery),
    responses((status = 200, body = ApiResponse<StoreStatus>)))]
pub async fn get_store_status(
    State(gateway): State<Gateway>,
    visitor: Visitor,
    Query(query): Query<StoreQuery>,
) -> Result<Cacheable<StoreStatus>, ApiError> {
    let store = ask(&gateway, &visitor, query.store_id, None).await?;
    Ok(Cacheable::seen_by(store.into(), visitor.signed_in))
}

/// How and when an order can be picked up.
#[utoipa::path(get, path = "/api/consumer/store/pickup-options", tag = "stores", params(PickupOptionsQuery),
    responses((status = 200, body = ApiResponse<PickupOptions>)))]
pub async fn get_pickup_options(
    State(gateway): State<Gateway>,
    call: Call,
    Query(query): Query<PickupOptionsQuery>,
) -> Result<ApiResponse<PickupOptions>, ApiError> {
    let make_seconds = query.make_seconds.unwrap_or_default();
    let request = stores::GetPickupOptionsRequest {
        store_id: query.store_id,
        make_seconds,
    };
    let options = gateway.clients.stores(&call).get_pickup_options(request).await?;
    Ok(ApiResponse::new(options.into_inner().into()))
}

async fn ask(
    gateway: &Gateway,
    visitor: &Visitor,
    store_id: String,
    position: Option<Position>,
) -> Result<stores::Store, ApiError> {
    let request = stores::GetStoreRequest { store_id, position };
    Ok(gateway
        .clients
        .stores(&visitor.call)
        .get_store(request)
        .await?
        .into_inner())
}
