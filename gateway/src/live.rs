//! Changes of orders, as they happen. Each gateway has an exclusive queue of its own, bound to every fact about orders;
//! it goes away with its connection, and followers then ask for themselves until it is back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use kit::lifecycle::Process;
use kit::messaging::Broker;
use lapin::options::{BasicConsumeOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::FieldTable;
use prost::Message;
use proto::ordering::v1::{OrderFact, OrderPlaced};
use tokio::sync::{broadcast, watch};
use types::{ConsumerId, SessionId};

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

/// Who follows whom.
#[derive(Debug, Clone)]
pub struct Live(Arc<Board>);

#[derive(Debug)]
struct Board {
    followed: Mutex<HashMap<ConsumerId, broadcast::Sender<Change>>>,
    broker: watch::Sender<bool>,
}

impl Default for Live {
    fn default() -> Self {
        Self(Arc::new(Board {
            followed: Mutex::default(),
            broker: watch::Sender::new(false),
        }))
    }
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
        let mut followed = self
            .live
            .0
            .followed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if followed
            .get(&self.consumer)
            .is_some_and(|changes| changes.receiver_count() <= 1)
        {
            followed.remove(&self.consumer);
        }
    }
}

impl Live {
    /// Starts to listen for a consumer.
    #[must_use]
    pub fn follow(&self, consumer: ConsumerId) -> Follower {
        let mut followed = self.0.followed.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = followed
            .entry(consumer)
            .or_insert_with(|| broadcast::Sender::new(BACKLOG))
            .subscribe();
        Follower {
            live: self.clone(),
            consumer,
            changes,
            broker: self.0.broker.subscribe(),
        }
    }

    /// Closes the streams of a session that ended here. Those of other gateways find out by themselves.
    pub fn end_session(&self, consumer: ConsumerId, session: SessionId) {
        self.tell(consumer, Change::SessionEnded(session));
    }

    fn tell(&self, consumer: ConsumerId, change: Change) {
        let followed = self.0.followed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(changes) = followed.get(&consumer) {
            // Fails only where the last follower just left.
            let _unheard = changes.send(change);
        }
    }

    fn hear(&self, fact: OrderFact) {
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
            // Each fact about an order says the same of it in its first field.
            match OrderPlaced::decode(delivery?.data.as_slice()).map(|message| message.order) {
                Ok(Some(fact)) => self.hear(fact),
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "fact that cannot be read"),
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

    #[tokio::test]
    async fn a_follower_hears_of_its_own_orders_only() {
        let live = Live::default();
        let id: ConsumerId = "usr_01h455vb4pex5vsknk084sn02q".parse().unwrap();
        let mut follower = live.follow(id);
        let fact = |consumer: &str| OrderFact {
            order_id: "ord_1".to_owned(),
            consumer_id: consumer.to_owned(),
            version: 3,
            ..Default::default()
        };
        live.hear(fact("usr_01h455vb4pex5vsknk084sn02r"));
        live.hear(fact(&id.to_string()));
        assert!(matches!(
            follower.changes.recv().await,
            Ok(Change::Order { version: 3, .. })
        ));
        assert!(follower.changes.try_recv().is_err());
        drop(follower);
        assert!(live.0.followed.lock().unwrap().is_empty());
    }
}
