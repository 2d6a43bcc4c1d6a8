//! Live changes of orders and of the inbox, received from the broker ([`crate::event_queue`]). While it is not connected, the streams poll
//! ordering.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kit::{ErrorCode, ServiceError};
use prost::Message;
use proto::ordering::v1::{OrderEvent, OrderSnapshot};
use proto::rewards::v1::{InboxEvent, inbox_event};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast, watch};
use types::{ConsumerId, SessionId, StoreId};

use crate::config::StreamLimits;

/// Updates that a slow subscriber may lag behind before it has to fetch all orders again.
const BACKLOG: usize = 32;
/// Time after which a client may try again to open a stream. It polls its orders until then.
const RETRY_AFTER: Duration = Duration::from_secs(30);

#[derive(Debug, Clone)]
pub(crate) enum LiveUpdate {
    OrderChanged {
        order_id: String,
        version: i64,
    },
    /// A message was added to the inbox.
    InboxChanged {
        unseen: u32,
    },
    SessionEnded(SessionId),
}

/// The limit of open streams is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StreamLimitError {
    #[error("You have Order Ahead open in too many places. Please close one of them.")]
    PerSubscriber,
    #[error("Live updates are busy right now. We'll keep checking.")]
    InAll,
}

impl From<StreamLimitError> for ServiceError {
    fn from(error: StreamLimitError) -> Self {
        let reason = match error {
            StreamLimitError::PerSubscriber => "TOO_MANY_STREAMS",
            StreamLimitError::InAll => "STREAMS_FULL",
        };
        Self::new(ErrorCode::RateLimited, reason, error.to_string()).with_retry_after(RETRY_AFTER)
    }
}

/// Delivers order events to the open streams of this process.
#[derive(Debug, Clone)]
pub(crate) struct LiveOrders(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    subscribers: Mutex<Subscribers>,
    limits: StreamLimits,
    /// One permit for each open stream of this process.
    slots: Arc<Semaphore>,
    is_connected: watch::Sender<bool>,
}

/// The consumer or store that a stream reports the orders of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Subscriber {
    Consumer(ConsumerId),
    Store(StoreId),
}

#[derive(Debug, Default)]
struct Subscribers {
    streams: HashMap<Subscriber, OpenStreams>,
}

/// The open streams of one consumer or store.
#[derive(Debug)]
struct OpenStreams {
    updates: broadcast::Sender<LiveUpdate>,
    stream_count: usize,
}

/// One open stream. Dropping it ends the subscription.
#[derive(Debug)]
pub(crate) struct Subscription {
    live_orders: LiveOrders,
    subscriber: Subscriber,
    pub(crate) updates: broadcast::Receiver<LiveUpdate>,
    /// Whether the broker is connected. Without it there are no updates.
    pub(crate) is_connected: watch::Receiver<bool>,
    _slot: OwnedSemaphorePermit,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut subscribers = self.live_orders.subscribers();
        if let Entry::Occupied(mut streams) = subscribers.streams.entry(self.subscriber) {
            streams.get_mut().stream_count -= 1;
            if streams.get().stream_count == 0 {
                streams.remove();
            }
        }
    }
}

impl LiveOrders {
    pub(crate) fn new(limits: StreamLimits) -> Self {
        Self(Arc::new(Inner {
            subscribers: Mutex::default(),
            slots: Arc::new(Semaphore::new(limits.streams_in_all)),
            limits,
            is_connected: watch::Sender::new(false),
        }))
    }

    /// Returns the slots of all open streams of this process.
    pub(crate) fn slots(&self) -> Arc<Semaphore> {
        Arc::clone(&self.0.slots)
    }

    /// Subscribes to the updates of a consumer's orders.
    pub(crate) fn subscribe(&self, consumer: ConsumerId) -> Result<Subscription, StreamLimitError> {
        self.subscribe_as(Subscriber::Consumer(consumer))
    }

    /// Subscribes to the updates of a store's orders. The limit of one consumer also applies to one store.
    pub(crate) fn subscribe_to_store(&self, store: StoreId) -> Result<Subscription, StreamLimitError> {
        self.subscribe_as(Subscriber::Store(store))
    }

    fn subscribe_as(&self, subscriber: Subscriber) -> Result<Subscription, StreamLimitError> {
        let slot = self.slots().try_acquire_owned();
        let slot = slot.map_err(|_| StreamLimitError::InAll)?;
        let mut subscribers = self.subscribers();
        let existing = subscribers.streams.get(&subscriber);
        if existing.map_or(0, |streams| streams.stream_count) >= self.0.limits.streams_per_consumer {
            return Err(StreamLimitError::PerSubscriber);
        }
        let streams = subscribers
            .streams
            .entry(subscriber)
            .or_insert_with(|| OpenStreams {
                updates: broadcast::Sender::new(BACKLOG),
                stream_count: 0,
            });
        streams.stream_count += 1;
        Ok(Subscription {
            live_orders: self.clone(),
            subscriber,
            updates: streams.updates.subscribe(),
            is_connected: self.0.is_connected.subscribe(),
            _slot: slot,
        })
    }

    fn subscribers(&self) -> MutexGuard<'_, Subscribers> {
        self.0.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the streams of a session that ended on this gateway. Streams on other gateways check their session
    /// regularly.
    pub(crate) fn end_session(&self, consumer: ConsumerId, session: SessionId) {
        self.send(Subscriber::Consumer(consumer), LiveUpdate::SessionEnded(session));
    }

    fn send(&self, subscriber: Subscriber, update: LiveUpdate) {
        if let Some(streams) = self.subscribers().streams.get(&subscriber) {
            // Fails only if all receivers were dropped.
            let _ = streams.updates.send(update);
        }
    }

    /// Sets whether the broker is connected. Returns whether it was before.
    pub(crate) fn set_connected(&self, is_connected: bool) -> bool {
        self.0.is_connected.send_replace(is_connected)
    }

    /// Delivers an order event to the streams of the consumer and of the store.
    pub(crate) fn receive(&self, payload: &[u8]) {
        match OrderEvent::decode(payload).map(|event| event.order) {
            Ok(Some(order)) => self.send_change(order),
            Ok(None) => tracing::warn!("order event without an order"),
            Err(error) => tracing::warn!(%error, "order event cannot be decoded"),
        }
    }

    /// Delivers an event about an inbox message to the streams of the consumer.
    pub(crate) fn receive_inbox(&self, payload: &[u8]) {
        let Ok(InboxEvent {
            consumer_id,
            change: Some(inbox_event::Change::MessageAdded(added)),
        }) = InboxEvent::decode(payload)
        else {
            tracing::warn!("inbox event cannot be decoded");
            return;
        };
        let update = LiveUpdate::InboxChanged { unseen: added.unseen };
        match consumer_id.parse() {
            Ok(consumer) => self.send(Subscriber::Consumer(consumer), update),
            Err(error) => tracing::warn!(%error, "inbox event without a valid consumer id"),
        }
    }

    fn send_change(&self, order: OrderSnapshot) {
        let update = LiveUpdate::OrderChanged {
            order_id: order.order_id,
            version: order.version,
        };
        match order.store_id.parse() {
            Ok(store) => self.send(Subscriber::Store(store), update.clone()),
            Err(error) => tracing::warn!(%error, "order event without a valid store id"),
        }
        match order.consumer_id.parse() {
            Ok(consumer) => self.send(Subscriber::Consumer(consumer), update),
            Err(error) => tracing::warn!(%error, "order event without a valid consumer id"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proto::ordering::v1::{OrderReady, order_event::Change};

    use super::*;

    const ADA: &str = "usr_01h455vb4pex5vsknk084sn02q";
    const BOB: &str = "usr_01h455vb4pex5vsknk084sn02r";

    fn live_orders(streams_per_consumer: usize, streams_in_all: usize) -> LiveOrders {
        LiveOrders::new(StreamLimits {
            streams_per_consumer,
            streams_in_all,
            store_watchers_per_address: 0,
            store_watchers_in_all: 0,
        })
    }

    #[tokio::test]
    async fn a_subscription_receives_only_the_consumers_own_orders() {
        let live_orders = live_orders(2, 2);
        let mut subscription = live_orders.subscribe(ADA.parse().unwrap()).unwrap();
        let event = |consumer: &str| {
            let order = OrderSnapshot {
                order_id: "ord_1".to_owned(),
                consumer_id: consumer.to_owned(),
                version: 3,
                ..Default::default()
            };
            let event = OrderEvent {
                order: Some(order),
                change: Some(Change::Ready(OrderReady {})),
            };
            event.encode_to_vec()
        };
        live_orders.receive(&event(BOB));
        live_orders.receive(b"no event");
        live_orders.receive(&event(ADA));
        assert!(matches!(
            subscription.updates.recv().await,
            Ok(LiveUpdate::OrderChanged { version: 3, .. })
        ));
        assert!(subscription.updates.try_recv().is_err());
        drop(subscription);
        assert!(live_orders.subscribers().streams.is_empty());
    }

    #[tokio::test]
    async fn a_store_receives_only_its_own_orders() {
        const STORE: &str = "str_01h455vb4pex5vsknk084sn02q";
        let live_orders = live_orders(2, 2);
        let mut subscription = live_orders.subscribe_to_store(STORE.parse().unwrap()).unwrap();
        for (store, version) in [("str_01h455vb4pex5vsknk084sn02r", 1), (STORE, 2)] {
            let order = OrderSnapshot {
                consumer_id: ADA.to_owned(),
                store_id: store.to_owned(),
                version,
                ..Default::default()
            };
            let event = OrderEvent {
                order: Some(order),
                change: Some(Change::Ready(OrderReady {})),
            };
            live_orders.receive(&event.encode_to_vec());
        }
        assert!(matches!(
            subscription.updates.recv().await,
            Ok(LiveUpdate::OrderChanged { version: 2, .. })
        ));
    }

    #[test]
    fn streams_are_limited_per_consumer_and_in_all_until_they_are_dropped() {
        let (ada, bob) = (ADA.parse().unwrap(), BOB.parse().unwrap());
        let live_orders = live_orders(2, 3);
        let first = live_orders.subscribe(ada).unwrap();
        let second = live_orders.subscribe(ada).unwrap();
        assert_eq!(
            live_orders.subscribe(ada).unwrap_err(),
            StreamLimitError::PerSubscriber
        );
        let other = live_orders.subscribe(bob).unwrap();
        assert_eq!(live_orders.subscribe(bob).unwrap_err(), StreamLimitError::InAll);
        drop(second);
        let second = live_orders.subscribe(ada).unwrap();
        drop((first, second, other));
        assert!(live_orders.subscribers().streams.is_empty());
        assert_eq!(live_orders.slots().available_permits(), 3);
    }
}
