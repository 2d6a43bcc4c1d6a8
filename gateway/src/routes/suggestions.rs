//! Items that a store suggests.

use axum::extract::State;
use proto::stores::v1::{ListTopOrderedRequest, ListUpsellItemsRequest};

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::public_reads::PublicResponse;
use crate::response::ApiResponse;
use crate::types::store_query::StoreQuery;
use crate::types::suggestions::{SuggestedItems, UpsellItemsQuery};

/// Lists the store's best-selling available items of the last 30 days.
#[utoipa::path(get, path = "/api/consumer/store/top-ordered", tag = "menu", params(StoreQuery),
    responses((status = 200, body = ApiResponse<SuggestedItems>)))]
pub(crate) async fn list_top_ordered(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<StoreQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = ListTopOrderedRequest {
        store_id: query.store_id,
    };
    gateway
        .public_reads
        .get::<_, SuggestedItems>(&context, request)
        .await
}

/// Lists available items that are often ordered with the items of a cart, without those items.
#[utoipa::path(get, path = "/api/consumer/store/upsell-items", tag = "menu", params(UpsellItemsQuery),
    responses((status = 200, body = ApiResponse<SuggestedItems>)))]
pub(crate) async fn list_upsell_items(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<UpsellItemsQuery>,
) -> Result<PublicResponse, ApiError> {
    let request = ListUpsellItemsRequest::from(query);
    gateway
        .public_reads
        .get::<_, SuggestedItems>(&context, request)
        .await
}
