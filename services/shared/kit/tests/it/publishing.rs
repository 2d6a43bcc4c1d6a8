//! What is sent to the broker: small frames, and events that are only persistent if a service consumes them.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use kit::{
    consumer::{ConsumeError, Delivery, Handler},
    messaging,
    outbox::{self, OutboxEntry},
};
use sqlx::PgConnection;
use testing::Database;
use tokio::{sync::mpsc, time::timeout};
use types::{Clock, SystemClock};

use crate::broker::{APPLIED, TOPOLOGY, TestBroker, UNROUTED};

struct Payloads(mpsc::UnboundedSender<Vec<u8>>);

#[async_trait]
impl Handler for Payloads {
    async fn handle(&self, event: &Delivery, _: &mut PgConnection) -> Result<(), ConsumeError> {
        self.0.send(event.payload.clone()).unwrap();
        Ok(())
    }
}

#[tokio::test]
async fn an_event_larger_than_a_frame_is_published_and_consumed() {
    let (database, broker) = (Database::create(&[]).await, TestBroker::new().await);
    let frame_bytes = broker.declare().await.configuration().frame_max();
    assert_eq!(frame_bytes, 16 * 1024);
    let (sender, mut payloads) = mpsc::unbounded_channel();
    let handler = Arc::new(Payloads(sender));
    messaging::start(&broker.process, &database.pool, TOPOLOGY, Some(handler)).unwrap();

    // More than all the buffers of a connection.
    let payload: Vec<u8> = (0..3_000_000_u32)
        .map(|number| u8::try_from(number % 251).unwrap())
        .collect();
    let event = OutboxEntry {
        payload: payload.clone(),
        ..OutboxEntry::new(APPLIED, &(), "ord_1".to_owned(), 1, SystemClock.now())
    };
    let mut conn = database.pool.acquire().await.unwrap();
    outbox::append(&mut conn, event).await.unwrap();
    drop(conn);
    let received = timeout(Duration::from_secs(20), payloads.recv()).await;
    assert_eq!(received.unwrap().unwrap(), payload);
    broker.clean_up().await;
    database.drop().await;
}

#[tokio::test]
async fn only_events_that_a_service_consumes_are_persistent() {
    let (database, broker) = (Database::create(&[]).await, TestBroker::new().await);
    messaging::start(&broker.process, &database.pool, TOPOLOGY, None).unwrap();
    let mut conn = database.pool.acquire().await.unwrap();
    for event_type in [APPLIED, UNROUTED] {
        let event = OutboxEntry::new(event_type, &(), "ord_1".to_owned(), 1, SystemClock.now());
        outbox::append(&mut conn, event).await.unwrap();
    }
    drop(conn);
    let published = async {
        while !database.outbox_event_types().await.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(20), published).await.unwrap();
    assert_eq!(broker.delivery_modes().await, [Some(2), Some(1)]);
    broker.clean_up().await;
    database.drop().await;
}
