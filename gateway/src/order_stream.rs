//! A live stream of a consumer's orders and unseen messages.

use std::collections::HashMap;
use std::time::Duration;

use async_stream::stream;
use axum::response::sse::Event;
use futures::Stream;
use http::HeaderMap;
use kit::backoff::{Backoff, Delays};
use kit::{ErrorCode, ServiceError};
use proto::ordering::v1 as ordering;
use tokio::time::{Instant, sleep_until};

use crate::cookie;
use crate::error::ApiError;
use crate::extract::Consumer;
use crate::gateway::Gateway;
use crate::live_orders::LiveUpdate;
use crate::session::find_session;
use crate::stream_signals::{Signal, StreamSignals};
use crate::types::inbox::InboxState;
use crate::types::order::{Order, OrderList};

/// Interval of comments on an idle stream, which keep proxies from closing it.
pub(crate) const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// Delays before a failed read is repeated.
const RETRY: Backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(5));

#[derive(Debug)]
pub(crate) struct OrderStream {
    gateway: Gateway,
    consumer: Consumer,
    session_token: String,
    signals: StreamSignals,
    sent: HashMap<String, SentOrder>,
    missing: MissingReads,
    snapshot: OrderList,
}

/// The state of an order that was last sent to the client.
#[derive(Debug, Clone, Copy)]
struct SentOrder {
    version: i64,
    is_active: bool,
}

/// Failed reads of changes that the client does not have yet. They are repeated until they succeed.
#[derive(Debug)]
struct MissingReads {
    /// Whether the list of active orders is to be read.
    includes_list: bool,
    /// Orders to be read, each at this version or a later one.
    orders: HashMap<String, i64>,
    retry_at: Instant,
    delays: Delays,
}

impl MissingReads {
    fn new() -> Self {
        Self {
            includes_list: false,
            orders: HashMap::new(),
            retry_at: Instant::now(),
            delays: RETRY.delays(),
        }
    }

    fn is_empty(&self) -> bool {
        !self.includes_list && self.orders.is_empty()
    }

    fn add_order(&mut self, order_id: String, version: i64) {
        self.schedule();
        let missing = self.orders.entry(order_id).or_insert(version);
        *missing = version.max(*missing);
    }

    fn add_list(&mut self) {
        self.schedule();
        self.includes_list = true;
    }

    /// Schedules the next attempt, unless one is scheduled.
    fn schedule(&mut self) {
        let now = Instant::now();
        if self.is_empty() || self.retry_at <= now {
            self.retry_at = now + self.delays.next_delay();
        }
    }
}

/// An event of the stream.
enum Item {
    Order(Box<Order>),
    /// The number of unseen messages in the inbox.
    Inbox(u32),
}

enum Action {
    SendInbox { unseen: u32 },
    FetchOrder { order_id: String, version: i64 },
    FetchAll,
    FetchMissing,
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
            signals: StreamSignals::new(subscription, gateway.shutdown.clone()),
            gateway,
            consumer,
            sent: HashMap::new(),
            missing: MissingReads::new(),
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
            let shutdown = self.gateway.shutdown.clone();
            loop {
                let action = tokio::select! {
                    signal = self.signals.next() => self.action_for(signal),
                    () = sleep_until(self.missing.retry_at), if !self.missing.is_empty() => Action::FetchMissing,
                };
                let items = tokio::select! {
                    items = self.perform(action) => items,
                    () = shutdown.cancelled() => break,
                };
                let Some(items) = items else { break };
                for item in items {
                    yield match item {
                        Item::Order(order) => Event::default().event("order").json_data(&order),
                        Item::Inbox(unseen) => {
                            Event::default().event("inbox").json_data(InboxState { unseen })
                        }
                    };
                }
            }
        }
    }

    /// Returns what is sent, or `None` at the end of the stream.
    async fn perform(&mut self, action: Action) -> Option<Vec<Item>> {
        if let Action::SendInbox { unseen } = action {
            return Some(vec![Item::Inbox(unseen)]);
        }
        let orders = self.perform_on_orders(action).await?;
        Some(
            orders
                .into_iter()
                .map(|order| Item::Order(Box::new(order)))
                .collect(),
        )
    }

    /// Returns the orders to send, or `None` at the end of the stream.
    async fn perform_on_orders(&mut self, action: Action) -> Option<Vec<Order>> {
        match action {
            Action::FetchOrder { order_id, version } => Some(
                self.fetch_changed_order(order_id, version)
                    .await
                    .into_iter()
                    .collect(),
            ),
            Action::FetchAll => Some(self.fetch_changed_orders().await),
            Action::FetchMissing => Some(self.fetch_missing().await),
            Action::CheckSession if self.has_session_ended().await => None,
            Action::CheckSession | Action::Wait | Action::SendInbox { .. } => Some(Vec::new()),
            Action::End => None,
        }
    }

    fn action_for(&self, signal: Signal) -> Action {
        match signal {
            Signal::Update(LiveUpdate::OrderChanged { order_id, version }) => {
                Action::FetchOrder { order_id, version }
            }
            Signal::Update(LiveUpdate::InboxChanged { unseen }) => Action::SendInbox { unseen },
            Signal::Update(LiveUpdate::SessionEnded(session)) if session == self.consumer.session => {
                Action::End
            }
            Signal::Update(LiveUpdate::SessionEnded(_)) | Signal::Poll => Action::Wait,
            Signal::MissedUpdates => Action::FetchAll,
            Signal::CheckSession => Action::CheckSession,
            Signal::End => Action::End,
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
    async fn fetch_changed_order(&mut self, order_id: String, version: i64) -> Option<Order> {
        let sent = self.sent.get(&order_id);
        if sent.is_some_and(|sent| sent.version >= version) {
            return None;
        }
        self.fetch_order_at(order_id, version).await
    }

    /// Fetches an order at a version or a later one. Returns it if the client does not have it.
    async fn fetch_order_at(&mut self, order_id: String, version: i64) -> Option<Order> {
        match self.fetch_order(order_id.clone()).await {
            Ok(order) => {
                if order.version < version {
                    self.missing.add_order(order_id, version);
                }
                self.record_sent(&order).then_some(order)
            }
            Err(error) => {
                tracing::warn!(reason = %error.error.reason, "changed order not fetched; will retry");
                self.missing.add_order(order_id, version);
                None
            }
        }
    }

    /// Fetches the active orders, and those that were active when they were last sent.
    async fn fetch_changed_orders(&mut self) -> Vec<Order> {
        let OrderList { mut orders } = match self.fetch_active_orders().await {
            Ok(list) => list,
            Err(error) => {
                tracing::warn!(reason = %error.error.reason, "active orders not fetched; will retry");
                self.missing.add_list();
                return Vec::new();
            }
        };
        let ended: Vec<(String, i64)> = self
            .sent
            .iter()
            .filter(|(id, sent)| sent.is_active && !orders.iter().any(|order| order.order_id == **id))
            .map(|(id, sent)| (id.clone(), sent.version))
            .collect();
        orders.retain(|order| self.record_sent(order));
        for (order_id, version) in ended {
            orders.extend(self.fetch_order_at(order_id, version).await);
        }
        orders
    }

    /// Repeats the reads that failed.
    async fn fetch_missing(&mut self) -> Vec<Order> {
        let includes_list = std::mem::take(&mut self.missing.includes_list);
        let missing = std::mem::take(&mut self.missing.orders);
        let mut orders = Vec::new();
        if includes_list {
            orders = self.fetch_changed_orders().await;
        }
        for (order_id, version) in missing {
            orders.extend(self.fetch_changed_order(order_id, version).await);
        }
        if self.missing.is_empty() {
            self.missing.delays.reset();
        }
        orders
    }

    async fn fetch_active_orders(&self) -> Result<OrderList, ApiError> {
        let mut client = self.gateway.clients.ordering(&self.consumer.context);
        let list = client
            .list_active_orders(ordering::ListActiveOrdersRequest::default())
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
