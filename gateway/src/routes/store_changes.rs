//! Live updates of a store.

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures::Stream;
use kit::ServiceError;
use proto::stores::v1 as stores;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::{ClientAddress, Query};
use crate::gateway::Gateway;
use crate::order_stream::KEEP_ALIVE_INTERVAL;
use crate::store_changes;
use crate::types::store::Store;
use crate::types::store_query::StoreQuery;

/// Streams the changes of a store as server-sent events.
///
/// `menu`: an item, a size or a choice is sold out or available again, or the menu is new. `status`: the store pauses or
/// accepts orders again. Read what you show of it again, also when the stream opens: the events do not contain the change, and
/// changes from before the stream are not sent. Above the limit of open streams the response is 429 with reason
/// `TOO_MANY_STREAMS` (of this client address) or `STREAMS_FULL` (of all): read again at an interval until `Retry-After`.
#[utoipa::path(get, path = "/api/consumer/store/events", tag = "stores", params(StoreQuery),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub(crate) async fn follow_store(
    State(gateway): State<Gateway>,
    context: CallContext,
    ClientAddress(address): ClientAddress,
    Query(StoreQuery { store_id }): Query<StoreQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, ApiError> {
    // Rejects unknown stores. The client shows the store, so that the response is usually cached.
    let request = stores::GetStoreRequest {
        store_id: store_id.clone(),
        position: None,
    };
    gateway.public_reads.get::<_, Store>(&context, request).await?;
    let watch = gateway.public_reads.watch_store(store_id.clone(), address);
    let watch = watch.map_err(ServiceError::from)?;
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE_INTERVAL);
    Ok(Sse::new(store_changes::events(gateway, store_id, watch)).keep_alive(keep_alive))
}
