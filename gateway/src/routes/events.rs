//! A consumer's orders, live: a snapshot of what is under way, then each change as the order's whole public state.

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures::Stream;
use http::HeaderMap;

use crate::caller::Consumer;
use crate::envelope::ApiError;
use crate::gateway::Gateway;
use crate::order_stream::{self, OrderStream};

/// Server-sent events: one `snapshot` (an OrderList), then an `order` (an Order) for each change. Drop an order whose
/// version is older than the one you have. The stream ends with the session. Where as many are open as may be it is refused
/// with 429 (`TOO_MANY_STREAMS`: yours, `STREAMS_FULL`: everybody's): ask for the orders themselves until `Retry-After`.
#[utoipa::path(get, path = "/api/consumer/order/events", tag = "orders",
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub async fn follow_orders(
    State(gateway): State<Gateway>,
    consumer: Consumer,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, ApiError> {
    let stream = OrderStream::open(gateway, consumer, &headers).await?;
    let heartbeat = KeepAlive::new().interval(order_stream::HEARTBEAT);
    Ok(Sse::new(stream.events()).keep_alive(heartbeat))
}
