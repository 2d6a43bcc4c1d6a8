//! Live updates of a store's queue.

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures::Stream;
use http::HeaderMap;
use kit::parse_id;

use crate::error::ApiError;
use crate::extract::{Query, StoreCaller};
use crate::gateway::Gateway;
use crate::middleware::store_credential::presented_credential;
use crate::order_stream::KEEP_ALIVE_INTERVAL;
use crate::store_stream::StoreStream;
use crate::types::store_api::StoreQueueQuery;

/// Streams the queue of a store as server-sent events.
///
/// The first event is a `snapshot` (a `StoreQueue` with all orders), followed by an `order` (a `StoreOrder`) for each order that
/// is new or has changed and by a `removed` (a `RemovedOrder`) for each that has left the queue. The stream ends with the session
/// or the credential. Above the limit of open streams the response is 429 with reason `TOO_MANY_STREAMS` (of this store) or
/// `STREAMS_FULL` (of all): poll the queue until `Retry-After`.
#[utoipa::path(get, path = "/store-api/queue/events", tag = "store-api", params(StoreQueueQuery),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub(crate) async fn follow_queue(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    headers: HeaderMap,
    Query(query): Query<StoreQueueQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, ApiError> {
    let store_id = parse_id(&query.store_id, "storeId")?;
    context.caller.store(store_id)?;
    let credential = presented_credential(&headers).ok_or_else(ApiError::unauthenticated)?;
    let stream = StoreStream::open(gateway, context, credential, store_id).await?;
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE_INTERVAL);
    Ok(Sse::new(stream.events()).keep_alive(keep_alive))
}
