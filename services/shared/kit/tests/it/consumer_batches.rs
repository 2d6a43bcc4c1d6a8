//! Events that arrive together are applied in one transaction.

use std::{collections::HashMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use kit::{
    consumer::{ConsumeError, Delivery, Handler},
    messaging,
};
use sqlx::{PgConnection, PgPool};
use testing::Database;
use tokio::time::timeout;
use types::{Clock, EventId, SystemClock};
use uuid::Uuid;

use crate::broker::{APPLIED, FAILING, OTHER, PANICKING, TOPOLOGY, TestBroker};

const EVENTS: usize = 40;

/// Writes a row for each event. `FAILING` events break the transaction and are rejected, `PANICKING` events panic.
struct Effects;

#[async_trait]
impl Handler for Effects {
    async fn handle(&self, event: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        sqlx::query("INSERT INTO effects VALUES ($1)")
            .bind(event.event_id.uuid())
            .execute(&mut *tx)
            .await?;
        assert_ne!(event.event_type, PANICKING, "a bug of the handler");
        if event.event_type == FAILING {
            sqlx::query("SELECT 1 / 0").execute(&mut *tx).await?;
        }
        Ok(())
    }
}

struct Consumer {
    database: Database,
    broker: TestBroker,
}

impl Consumer {
    /// Creates the queue. The events that are published before [`Self::start`] arrive together.
    async fn new() -> Self {
        let (database, broker) = (Database::create(&[]).await, TestBroker::new().await);
        sqlx::query("CREATE TABLE effects (event_id uuid)")
            .execute(&database.pool)
            .await
            .unwrap();
        broker.declare().await;
        Self { database, broker }
    }

    async fn publish(&self, event_types: &[&str]) -> Vec<EventId> {
        let mut ids = Vec::new();
        for event_type in event_types {
            let id = EventId::new(SystemClock.now());
            self.broker.publish_with_id(id, event_type).await;
            ids.push(id);
        }
        ids
    }

    fn start(&self) {
        let handler = Arc::new(Effects);
        messaging::start(&self.broker.process, &self.database.pool, TOPOLOGY, Some(handler)).unwrap();
    }

    async fn wait_for_records(&self, expected: usize) {
        let recorded = async {
            while count(&self.database.pool, "SELECT count(*) FROM consumed_events").await != expected {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(20), recorded).await.unwrap();
    }

    /// Number of effects of each event.
    async fn effects(&self) -> HashMap<Uuid, i64> {
        sqlx::query_as("SELECT event_id, count(*) FROM effects GROUP BY event_id")
            .fetch_all(&self.database.pool)
            .await
            .unwrap()
            .into_iter()
            .collect()
    }

    async fn assert_applied_once(&self, events: &[EventId]) {
        let expected: HashMap<Uuid, i64> = events.iter().map(|id| (id.uuid(), 1)).collect();
        assert_eq!(self.effects().await, expected);
    }

    /// Stops the consumer, so that the broker returns what is not acknowledged to the queue.
    async fn stop(self) {
        self.broker.stop().await;
        assert_eq!(self.broker.queued().await, <[String; 0]>::default());
        self.broker.clean_up().await;
        self.database.drop().await;
    }
}

async fn count(pool: &PgPool, query: &'static str) -> usize {
    let count: i64 = sqlx::query_scalar(query).fetch_one(pool).await.unwrap();
    usize::try_from(count).unwrap()
}

#[tokio::test]
async fn events_that_arrive_together_share_transactions() {
    let consumer = Consumer::new().await;
    let events = consumer.publish(&[APPLIED; EVENTS]).await;
    consumer.start();
    consumer.wait_for_records(EVENTS).await;
    consumer.assert_applied_once(&events).await;
    let transactions = "SELECT count(DISTINCT xmin::text) FROM consumed_events";
    let transactions = count(&consumer.database.pool, transactions).await;
    assert!(transactions < EVENTS, "{transactions} transactions");
    consumer.stop().await;
}

#[tokio::test]
async fn an_event_that_breaks_the_transaction_of_others_is_dead_lettered_alone() {
    let consumer = Consumer::new().await;
    let mut event_types = [APPLIED; EVENTS];
    event_types[7] = FAILING;
    event_types[20] = PANICKING;
    let mut events = consumer.publish(&event_types).await;
    let broken = [events.remove(20), events.remove(7)];
    consumer.start();
    consumer.wait_for_records(EVENTS - 2).await;
    consumer.assert_applied_once(&events).await;
    let mut dead_letters = [
        consumer.broker.next_dead_letter().await,
        consumer.broker.next_dead_letter().await,
    ];
    dead_letters.sort_unstable_by_key(|id| *id != broken[0]);
    assert_eq!(dead_letters, broken);
    consumer.stop().await;
}

#[tokio::test]
async fn repeated_events_have_one_effect() {
    let consumer = Consumer::new().await;
    let events = consumer.publish(&[APPLIED; 10]).await;
    for event in &events {
        consumer.broker.publish_with_id(*event, APPLIED).await;
    }
    consumer.start();
    consumer.wait_for_records(10).await;
    for event in &events {
        consumer.broker.publish_with_id(*event, APPLIED).await;
    }
    let last = consumer.publish(&[OTHER]).await;
    consumer.wait_for_records(11).await;
    consumer.assert_applied_once(&[events, last].concat()).await;
    consumer.stop().await;
}
