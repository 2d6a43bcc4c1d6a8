//! Drawn pictures of stores.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG};
use proto::stores::v1 as stores;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::Query;
use crate::gateway::Gateway;
use crate::response::entity_tag;
use crate::types::store_query::StoreQuery;

/// Returns the drawn picture of a store. It rarely changes, so clients may cache it for a week.
#[utoipa::path(get, path = "/api/consumer/store/photo", tag = "stores", params(StoreQuery),
    responses((status = 200, body = String, content_type = "image/svg+xml")))]
pub(crate) async fn get_store_picture(
    State(gateway): State<Gateway>,
    context: CallContext,
    Query(query): Query<StoreQuery>,
) -> Result<Response, ApiError> {
    let request = stores::GetStorePictureRequest {
        store_id: query.store_id,
    };
    let picture = gateway
        .clients
        .stores(&context)
        .get_store_picture(request)
        .await?;
    let svg = picture.into_inner().svg;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
        (CACHE_CONTROL, HeaderValue::from_static("public, max-age=604800")),
        (
            CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'"),
        ),
        (ETAG, entity_tag(svg.as_bytes())),
    ];
    Ok((headers, svg).into_response())
}
