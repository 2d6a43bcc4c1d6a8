//! Live updates of orders.

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures::Stream;
use http::HeaderMap;

use crate::error::ApiError;
use crate::extract::Consumer;
use crate::gateway::Gateway;
use crate::order_stream::{KEEP_ALIVE_INTERVAL, OrderStream};

/// Streams the consumer's orders as server-sent events.
///
/// The first event is a `snapshot` (an `OrderList`) of the active orders, followed by an `order` (an `Order`) for each
/// change, and an `inbox` with the field `unseen` for each new message. Discard an order with a lower version than the one
/// you have. The stream ends with the session. Above the limit of open streams the response is 429 with reason
/// `TOO_MANY_STREAMS` (of this consumer) or `STREAMS_FULL` (of all consumers): poll the orders until `Retry-After`.
#[utoipa::path(get, path = "/api/consumer/order/events", tag = "orders",
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub(crate) async fn follow_orders(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, ApiError> {
    let stream = OrderStream::open(gateway, consumer, &headers).await?;
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE_INTERVAL);
    Ok(Sse::new(stream.events()).keep_alive(keep_alive))
}
