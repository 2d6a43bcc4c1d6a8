//! The store API: what a store has sold out.

use axum::extract::State;

use crate::error::ApiError;
use crate::extract::{Body, PathId, StoreCaller};
use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::store_settings::{Availability, SetAvailabilityRequest};

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
    // Before the event arrives.
    gateway.public_reads.invalidate_store(&store_id);
    Ok(ApiResponse::new(Availability {
        sold_out: availability.into_inner().sold_out,
    }))
}
