//! A live stream of a consumer's orders.

use std::collections::HashMap;
use std::time::Duration;

use async_stream::stream;
use axum::response::sse::Event;
use futures::Stream;
use http::HeaderMap;
use kit::{ErrorCode, ServiceError};
use proto::ordering::v1 as ordering;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{MissedTickBehavior, interval};

use crate::cookie;
use crate::error::ApiError;
use crate::extract::Consumer;
use crate::gateway::Gateway;
use crate::live_orders::{LiveUpdate, Subscription};
use crate::session::find_session;
use crate::types::order::{Order, OrderList};

/// Interval of comments on an idle stream, which keep proxies from closing it.
pub(crate) const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// Interval for polling ordering while the broker is unavailable.
const POLL_INTERVAL: Duration = Duration::from_secs(3);
/// Interval for checking the session, which may end on another gateway.
const SESSION_CHECK_INTERVAL: Duration = Duration::from_secs(15);

#[derive(Debug)]
pub(crate) struct OrderStream {
    gateway: Gateway,
    consumer: Consumer,
    session_token: String,
    subscription: Subscription,
    sent: HashMap<String, SentOrder>,
    snapshot: OrderList,
}

/// The state of an order that was last sent to the client.
#[derive(Debug, Clone, Copy)]
struct SentOrder {
    version: i64,
    is_active: bool,
}

enum Action {
    FetchOrder { order_id: String, version: i64 },
    FetchAll,
    CheckSession,
    Wait,
    End,
}

impl OrderStream {
    /// Subscribes before it fetches the snapshot, so that no change is missed.
    ///
    /// # Errors
    /// `TOO_MANY_STREAMS`, `STREAMS_FULL`, or an error of ordering.
    pub(crate) async fn open(
        gateway: Gateway,
        consumer: Consumer,
        headers: &HeaderMap,
    ) -> Result<Self, ApiError> {
        let subscription = gateway.live_orders.subscribe(consumer.id);
        let subscription = subscription.map_err(ServiceError::from)?;
        let session_token = cookie::get(headers, cookie::SESSION).unwrap_or_default();
        let mut stream = Self {
            session_token: session_token.to_owned(),
            gateway,
            consumer,
            subscription,
            sent: HashMap::new(),
            snapshot: OrderList { orders: Vec::new() },
        };
        let snapshot = stream.fetch_active_orders().await?;
        for order in &snapshot.orders {
            stream.record_sent(order);
        }
        stream.snapshot = snapshot;
        Ok(stream)
    }

    /// Returns the events until the session ends or the process shuts down.
    pub(crate) fn events(mut self) -> impl Stream<Item = Result<Event, axum::Error>> {
        stream! {
            yield Event::default().event("snapshot").json_data(&self.snapshot);
            let (mut poll, mut session_check) = (interval(POLL_INTERVAL), interval(SESSION_CHECK_INTERVAL));
            poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
            // The first tick of an interval completes immediately, but the snapshot is current.
            poll.reset();
            session_check.reset();
            let shutdown = self.gateway.shutdown.clone();
            loop {
                let action = tokio::select! {
                    () = shutdown.cancelled() => Action::End,
                    update = self.subscription.updates.recv() => self.action_for(update),
                    // Changes during a disconnection were not received.
                    changed = self.subscription.is_connected.changed() => {
                        if changed.is_ok() { Action::FetchAll } else { Action::End }
                    }
                    _ = poll.tick() => {
                        if *self.subscription.is_connected.borrow() { Action::Wait } else { Action::FetchAll }
                    }
                    _ = session_check.tick() => Action::CheckSession,
                };
                let orders = match action {
                    Action::FetchOrder { order_id, version } => self.fetch_changed_order(order_id, version).await,
                    Action::FetchAll => self.fetch_changed_orders().await,
                    Action::CheckSession if self.has_session_ended().await => break,
                    Action::CheckSession | Action::Wait => Vec::new(),
                    Action::End => break,
                };
                for order in orders {
                    yield Event::default().event("order").json_data(&order);
                }
            }
        }
    }

    fn action_for(&self, update: Result<LiveUpdate, RecvError>) -> Action {
        match update {
            Ok(LiveUpdate::OrderChanged { order_id, version }) => Action::FetchOrder { order_id, version },
            Ok(LiveUpdate::SessionEnded(session)) if session == self.consumer.session => Action::End,
            Ok(LiveUpdate::SessionEnded(_)) => Action::Wait,
            Err(RecvError::Lagged(_)) => Action::FetchAll,
            Err(RecvError::Closed) => Action::End,
        }
    }

    /// Records that this version is sent. Returns `false` if the client already has it or a newer one.
    fn record_sent(&mut self, order: &Order) -> bool {
        let is_newer = self
            .sent
            .get(&order.order_id)
            .is_none_or(|sent| sent.version < order.version);
        if is_newer {
            let sent = SentOrder {
                version: order.version,
                is_active: order.status.is_active(),
            };
            self.sent.insert(order.order_id.clone(), sent);
        }
        is_newer
    }

    /// Fetches an order unless the client already has this version.
    async fn fetch_changed_order(&mut self, order_id: String, version: i64) -> Vec<Order> {
        let sent = self.sent.get(&order_id);
        if sent.is_some_and(|sent| sent.version >= version) {
            return Vec::new();
        }
        match self.fetch_order(order_id).await {
            Ok(order) if self.record_sent(&order) => vec![order],
            Ok(_) => Vec::new(),
            Err(error) => {
                tracing::warn!(reason = %error.error.reason, "changed order not fetched; the next change includes it");
                Vec::new()
            }
        }
    }

    /// Fetches the active orders, and those that were active when they were last sent.
    async fn fetch_changed_orders(&mut self) -> Vec<Order> {
        let Ok(OrderList { mut orders }) = self.fetch_active_orders().await else {
            return Vec::new();
        };
        let ended: Vec<String> = self
            .sent
            .iter()
            .filter(|(id, sent)| sent.is_active && !orders.iter().any(|order| order.order_id == **id))
            .map(|(id, _)| id.clone())
            .collect();
        for order_id in ended {
            orders.extend(self.fetch_order(order_id).await);
        }
        orders.retain(|order| self.record_sent(order));
        orders
    }

    async fn fetch_active_orders(&self) -> Result<OrderList, ApiError> {
        let mut client = self.gateway.clients.ordering(&self.consumer.context);
        let list = client
            .list_active_orders(ordering::ListActiveOrdersRequest {})
            .await?;
        Ok(list.into_inner().try_into()?)
    }

    async fn fetch_order(&self, order_id: String) -> Result<Order, ApiError> {
        let mut client = self.gateway.clients.ordering(&self.consumer.context);
        let order = client.get_order(ordering::GetOrderRequest { order_id }).await?;
        Ok(order.into_inner().try_into()?)
    }

    async fn has_session_ended(&self) -> bool {
        let context = self.consumer.context.as_gateway();
        let session = find_session(&self.gateway, &context, &self.session_token).await;
        session.is_err_and(|error| error.error.code == ErrorCode::Unauthenticated)
    }
}
