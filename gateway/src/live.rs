//! Changes of orders, as they happen. Each gateway has an exclusive queue of its own, bound to every fact about orders;
//! it goes away with its connection, and followers then ask for themselves until it is back.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use kit::lifecycle::Process;
use kit::messaging::Broker;
use kit::{ErrorCode, ServiceError};
use lapin::options::{BasicConsumeOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::FieldTable;
use prost::Message;
use proto::ordering::v1::{OrderEvent, OrderSnapshot};
use tokio::sync::{broadcast, watch};
use types::{ConsumerId, SessionId};

use crate::config::Streams;

/// Every fact about orders.
const FACTS: &str = "ordering.*";
/// Changes that a slow follower may lag behind before it has to ask anew.
const BACKLOG: usize = 32;
const BACKOFF_FIRST: Duration = Duration::from_millis(200);
const BACKOFF_MOST: Duration = Duration::from_secs(5);

/// What a follower is told.
#[derive(Debug, Clone)]
pub enum Change {
    /// An order became another version.
    Order {
        /// Which.
        order_id: String,
        /// At least this one.
        version: i64,
    },
    /// A session of the consumer ended.
    SessionEnded(SessionId),
}

/// When a refused client may ask for a stream again; it asks for its orders themselves until then.
const ASK_AGAIN: Duration = Duration::from_secs(30);

/// More streams than this process holds open: for one consumer, or at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoRoom {
    /// The consumer has as many as one may have.
    #[error("You follow your orders in too many places at once. Close one of them.")]
    OfConsumer,
    /// All consumers together have as many as there may be.
    #[error("Too many people follow their orders just now. We keep asking for yours.")]
    InAll,
}

impl From<NoRoom> for ServiceError {
    fn from(no_room: NoRoom) -> Self {
        let reason = match no_room {
            NoRoom::OfConsumer => "TOO_MANY_STREAMS",
            NoRoom::InAll => "STREAMS_FULL",
        };
        Self::new(ErrorCode::RateLimited, reason, no_room.to_string()).with_retry_after(ASK_AGAIN)
    }
}

/// Who follows whom.
#[derive(Debug, Clone)]
pub struct Live(Arc<Board>);

#[derive(Debug)]
struct Board {
    streams: Mutex<Open>,
    limits: Streams,
    broker: watch::Sender<bool>,
}

/// The streams that are open here.
#[derive(Debug, Default)]
struct Open {
    followed: HashMap<ConsumerId, Followed>,
    in_all: usize,
}

/// One consumer's.
#[derive(Debug)]
struct Followed {
    changes: broadcast::Sender<Change>,
    streams: usize,
}

/// One open stream's ear.
#[derive(Debug)]
pub struct Follower {
    live: Live,
    consumer: ConsumerId,
    /// What happens to the consumer's orders.
    pub changes: broadcast::Receiver<Change>,
    /// Whether changes arrive at all: false while the broker is away.
    pub broker: watch::Receiver<bool>,
}

impl Drop for Follower {
    fn drop(&mut self) {
        let mut open = self.live.open();
        open.in_all -= 1;
        if let Entry::Occupied(mut followed) = open.followed.entry(self.consumer) {
            followed.get_mut().streams -= 1;
            if followed.get().streams == 0 {
                followed.remove();
            }
        }
    }
}

impl Live {
    /// Nobody follows anybody yet; so many may.
    #[must_use]
    pub fn new(limits: Streams) -> Self {
        Self(Arc::new(Board {
            streams: Mutex::default(),
            limits,
            broker: watch::Sender::new(false),
        }))
    }

    /// Starts to listen for a consumer, until the follower is dropped.
    ///
    /// # Errors
    /// [`NoRoom`]: as many streams are open as may be.
    pub fn follow(&self, consumer: ConsumerId) -> Result<Follower, NoRoom> {
        let mut open = self.open();
        if open.in_all >= self.0.limits.streams_in_all {
            return Err(NoRoom::InAll);
        }
        let own = open
            .followed
            .get(&consumer)
            .map_or(0, |followed| followed.streams);
        if own >= self.0.limits.streams_per_consumer {
            return Err(NoRoom::OfConsumer);
        }
        open.in_all += 1;
        let followed = open.followed.entry(consumer).or_insert_with(|| Followed {
            changes: broadcast::Sender::new(BACKLOG),
            streams: 0,
        });
        followed.streams += 1;
        Ok(Follower {
            live: self.clone(),
            consumer,
            changes: followed.changes.subscribe(),
            broker: self.0.broker.subscribe(),
        })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the streams of a session that ended here. Those of other gateways find out by themselves.
    pub fn end_session(&self, consumer: ConsumerId, session: SessionId) {
        self.tell(consumer, Change::SessionEnded(session));
    }

    fn tell(&self, consumer: ConsumerId, change: Change) {
        if let Some(followed) = self.open().followed.get(&consumer) {
            // Fails only where the last follower just left.
            let _unheard = followed.changes.send(change);
        }
    }

    fn hear(&self, fact: OrderSnapshot) {
        match fact.consumer_id.parse() {
            Ok(consumer) => self.tell(
                consumer,
                Change::Order {
                    order_id: fact.order_id,
                    version: fact.version,
                },
            ),
            Err(error) => tracing::warn!(%error, "fact about nobody's order"),
        }
    }

    /// Listens to the broker until the process is told to stop, and comes back whenever it is lost.
    pub async fn listen(self, process: Process, broker: Broker) {
        let mut backoff = BACKOFF_FIRST;
        while !process.shutdown.is_cancelled() {
            let outcome = self.listen_once(&process, &broker).await;
            if self.0.broker.send_replace(false) {
                backoff = BACKOFF_FIRST;
            }
            if let Err(error) = outcome {
                tracing::warn!(error = format!("{error:#}"), retry_in = ?backoff, "broker is away; streams ask for themselves");
                process.sleep(backoff).await;
                backoff = (backoff * 2).min(BACKOFF_MOST);
            }
        }
    }

    async fn listen_once(&self, process: &Process, broker: &Broker) -> anyhow::Result<()> {
        let connection = broker.connect().await?;
        let channel = connection.create_channel().await?;
        // Named by the broker, ours alone, gone with us: what happened meanwhile is asked for anew.
        let own = QueueDeclareOptions {
            exclusive: true,
            auto_delete: true,
            ..Default::default()
        };
        let queue = channel
            .queue_declare("".into(), own, FieldTable::default())
            .await?;
        let name = queue.name().clone();
        let (bind, table) = (QueueBindOptions::default(), FieldTable::default());
        channel
            .queue_bind(name.clone(), broker.exchange(), FACTS.into(), bind, table)
            .await?;
        let consume = BasicConsumeOptions {
            no_ack: true,
            exclusive: true,
            ..Default::default()
        };
        let deliveries = channel
            .basic_consume(name, "gateway".into(), consume, FieldTable::default())
            .await?;
        self.0.broker.send_replace(true);
        tracing::info!("live streams connected to the broker");
        let mut deliveries = std::pin::pin!(deliveries.take_until(process.shutdown.cancelled()));
        while let Some(delivery) = deliveries.next().await {
            match OrderEvent::decode(delivery?.data.as_slice()).map(|event| event.order) {
                Ok(Some(order)) => self.hear(order),
                Ok(None) => tracing::warn!("order event without an order"),
                Err(error) => tracing::warn!(%error, "order event cannot be decoded"),
            }
        }
        anyhow::ensure!(process.shutdown.is_cancelled(), "the broker ended the consumer");
        connection.close(200, "stopping".into()).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: &str = "usr_01h455vb4pex5vsknk084sn02q";
    const BOB: &str = "usr_01h455vb4pex5vsknk084sn02r";

    fn live(streams_per_consumer: usize, streams_in_all: usize) -> Live {
        Live::new(Streams {
            streams_per_consumer,
            streams_in_all,
        })
    }

    #[tokio::test]
    async fn a_follower_hears_of_its_own_orders_only() {
        let live = live(2, 2);
        let mut follower = live.follow(ADA.parse().unwrap()).unwrap();
        let fact = |consumer: &str| OrderSnapshot {
            order_id: "ord_1".to_owned(),
            consumer_id: consumer.to_owned(),
            version: 3,
            ..Default::default()
        };
        live.hear(fact(BOB));
        live.hear(fact(ADA));
        assert!(matches!(
            follower.changes.recv().await,
            Ok(Change::Order { version: 3, .. })
        ));
        assert!(follower.changes.try_recv().is_err());
        drop(follower);
        assert!(live.open().followed.is_empty());
    }

    #[test]
    fn streams_are_counted_by_consumer_and_in_all_and_given_back() {
        let (ada, bob) = (ADA.parse().unwrap(), BOB.parse().unwrap());
        let live = live(2, 3);
        let first = live.follow(ada).unwrap();
        let second = live.follow(ada).unwrap();
        assert_eq!(live.follow(ada).unwrap_err(), NoRoom::OfConsumer);
        let his = live.follow(bob).unwrap();
        assert_eq!(live.follow(bob).unwrap_err(), NoRoom::InAll);
        drop(second);
        let second = live.follow(ada).unwrap();
        drop((first, second, his));
        assert!(live.open().followed.is_empty());
        assert_eq!(live.open().in_all, 0);
    }
}
