//! A live stream of the queue of a store.

use std::collections::HashMap;

use async_stream::stream;
use axum::response::sse::Event;
use futures::Stream;
use kit::{ErrorCode, ServiceError};
use proto::ordering::v1 as ordering;
use types::StoreId;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::gateway::Gateway;
use crate::middleware::store_credential::find_caller;
use crate::stream_signals::{Signal, StreamSignals};
use crate::types::store_api::{RemovedOrder, StoreQueue};
use crate::types::store_order::StoreOrder;

const PAGE_ORDERS: u32 = 100;

#[derive(Debug)]
pub(crate) struct StoreStream {
    gateway: Gateway,
    context: CallContext,
    credential: String,
    store_id: StoreId,
    signals: StreamSignals,
    /// Versions that the client has, by order.
    sent: HashMap<String, i64>,
    /// Whether the last read failed.
    is_stale: bool,
    snapshot: StoreQueue,
}

/// What changed in the queue.
enum Change {
    Order(Box<StoreOrder>),
    Removed(RemovedOrder),
}

impl StoreStream {
    /// Subscribes before it reads the snapshot, so that no change is missed.
    ///
    /// # Errors
    /// `TOO_MANY_STREAMS`, `STREAMS_FULL`, or an error of ordering.
    pub(crate) async fn open(
        gateway: Gateway,
        context: CallContext,
        credential: String,
        store_id: StoreId,
    ) -> Result<Self, ApiError> {
        let subscription = gateway.live_orders.subscribe_to_store(store_id);
        let subscription = subscription.map_err(ServiceError::from)?;
        let mut stream = Self {
            signals: StreamSignals::new(subscription, gateway.shutdown.clone()),
            gateway,
            context,
            credential,
            store_id,
            sent: HashMap::new(),
            is_stale: false,
            snapshot: StoreQueue::default(),
        };
        let orders = stream.read_queue().await?;
        stream.sent = versions(&orders);
        stream.snapshot.orders = orders;
        Ok(stream)
    }

    /// Returns the events until the session ends or the process shuts down.
    pub(crate) fn events(mut self) -> impl Stream<Item = Result<Event, axum::Error>> {
        stream! {
            yield Event::default().event("snapshot").json_data(&self.snapshot);
            let shutdown = self.gateway.shutdown.clone();
            loop {
                let signal = self.signals.next().await;
                let changes = tokio::select! {
                    changes = self.changes_after(signal) => changes,
                    () = shutdown.cancelled() => break,
                };
                let Some(changes) = changes else { break };
                for change in changes {
                    yield match change {
                        Change::Order(order) => Event::default().event("order").json_data(&order),
                        Change::Removed(removed) => Event::default().event("removed").json_data(&removed),
                    };
                }
            }
        }
    }

    /// Returns the changes to send, or `None` at the end of the stream.
    async fn changes_after(&mut self, signal: Signal) -> Option<Vec<Change>> {
        let reads = match signal {
            Signal::Update(_) | Signal::MissedUpdates => true,
            Signal::Poll if self.is_stale => true,
            Signal::Poll => return Some(Vec::new()),
            Signal::CheckSession => false,
            Signal::End => return None,
        };
        if self.has_session_ended().await {
            return None;
        }
        Some(if reads {
            self.read_changes().await
        } else {
            Vec::new()
        })
    }

    /// Compares the queue with what the client has. After a failed read, the next poll repeats it.
    async fn read_changes(&mut self) -> Vec<Change> {
        let orders = match self.read_queue().await {
            Ok(orders) => orders,
            Err(error) => {
                tracing::warn!(reason = %error.error.reason, "queue not read; will retry");
                self.is_stale = true;
                return Vec::new();
            }
        };
        self.is_stale = false;
        let current = versions(&orders);
        let removed = self
            .sent
            .keys()
            .filter(|order_id| !current.contains_key(*order_id));
        let mut changes: Vec<Change> = removed
            .map(|order_id| {
                Change::Removed(RemovedOrder {
                    order_id: order_id.clone(),
                })
            })
            .collect();
        let changed = orders.into_iter().filter(|order| {
            self.sent
                .get(&order.order_id)
                .is_none_or(|sent| *sent < order.version)
        });
        changes.extend(changed.map(|order| Change::Order(Box::new(order))));
        self.sent = current;
        changes
    }

    /// Reads all pages.
    async fn read_queue(&self) -> Result<Vec<StoreOrder>, ApiError> {
        let (mut orders, mut cursor) = (Vec::new(), String::new());
        loop {
            let request = ordering::ListQueueRequest {
                store_id: self.store_id.to_string(),
                take: PAGE_ORDERS,
                cursor,
            };
            let mut client = self.gateway.clients.ordering(&self.context);
            let page: StoreQueue = client.list_queue(request).await?.into_inner().try_into()?;
            orders.extend(page.orders);
            match page.next_cursor {
                Some(next) => cursor = next,
                None => return Ok(orders),
            }
        }
    }

    async fn has_session_ended(&self) -> bool {
        let context = self.context.as_gateway();
        let caller = find_caller(&self.gateway, &context, &self.credential).await;
        caller.is_err_and(|error| error.error.code == ErrorCode::Unauthenticated)
    }
}

fn versions(orders: &[StoreOrder]) -> HashMap<String, i64> {
    orders
        .iter()
        .map(|order| (order.order_id.clone(), order.version))
        .collect()
}
