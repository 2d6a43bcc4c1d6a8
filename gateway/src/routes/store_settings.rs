//! The store API: the menu of a store and what is sold out.

use axum::extract::State;
use proto::stores::v1 as stores;

use crate::error::ApiError;
use crate::extract::{Body, PathId, StoreCaller};
use crate::gateway::Gateway;
use crate::public_reads::StoreChange;
use crate::response::ApiResponse;
use crate::types::store_menu::StoreMenu;
use crate::types::store_settings::{Availability, SetAvailabilityRequest};

/// Returns the menu of a store with all that can be sold out, without prices.
#[utoipa::path(get, path = "/store-api/stores/{id}/menu", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<StoreMenu>)))]
pub(crate) async fn get_store_menu(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
) -> Result<ApiResponse<StoreMenu>, ApiError> {
    let request = stores::GetStoreMenuRequest { store_id };
    let menu = gateway
        .clients
        .store_settings(&context)
        .get_store_menu(request)
        .await?;
    Ok(ApiResponse::new(menu.into_inner().into()))
}

/// Marks an item, a size or a choice of a store as sold out or available. Repeating a call changes nothing.
#[utoipa::path(post, path = "/store-api/stores/{id}/availability", tag = "store-api", params(("id" = String, Path)),
    request_body = SetAvailabilityRequest, responses((status = 200, body = ApiResponse<Availability>)))]
pub(crate) async fn set_availability(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
    Body(request): Body<SetAvailabilityRequest>,
) -> Result<ApiResponse<Availability>, ApiError> {
    let request = request.into_message(store_id.clone());
    let availability = gateway.clients.stores(&context).set_availability(request).await?;
    // So that the change is visible before its event arrives.
    gateway
        .public_reads
        .invalidate_store(&store_id, StoreChange::Menu);
    Ok(ApiResponse::new(Availability {
        sold_out: availability.into_inner().sold_out,
    }))
}
