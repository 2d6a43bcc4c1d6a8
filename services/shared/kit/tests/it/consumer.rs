use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use kit::{
    consumer::{ConsumeError, Delivery, Handler},
    prune::CONSUMED_EVENT_RETENTION,
};
use sqlx::{PgConnection, postgres::PgPoolOptions};
use testing::Database;
use tokio::{sync::mpsc, time::timeout};
use types::{Clock, EventId, SystemClock};

use crate::broker::{APPLIED, FAILING, OTHER, PANICKING, TOPOLOGY, TestBroker};

/// Fails on every attempt at `FAILING` events, panics on every attempt at `PANICKING` events and reports the type of every event.
struct TestHandler {
    attempts: mpsc::UnboundedSender<String>,
}

#[async_trait]
impl Handler for TestHandler {
    async fn handle(&self, event: &Delivery, _: &mut PgConnection) -> Result<(), ConsumeError> {
        // The test may have ended.
        let _ = self.attempts.send(event.event_type.clone());
        assert_ne!(event.event_type, PANICKING, "a bug of the handler");
        if event.event_type == FAILING {
            return Err(ConsumeError::Transient(anyhow::anyhow!("always fails")));
        }
        Ok(())
    }
}

async fn start_consumer() -> (Database, TestBroker, mpsc::UnboundedReceiver<String>) {
    let (database, broker) = (Database::create(&[]).await, TestBroker::new().await);
    let (sender, attempts) = mpsc::unbounded_channel();
    let handler = Arc::new(TestHandler { attempts: sender });
    kit::messaging::start(&broker.process, &database.pool, TOPOLOGY, Some(handler)).unwrap();
    broker.wait_for_consumer().await;
    (database, broker, attempts)
}

async fn wait_for_attempt(attempts: &mut mpsc::UnboundedReceiver<String>, event_type: &str) {
    let attempt = async { while attempts.recv().await.unwrap() != event_type {} };
    timeout(Duration::from_secs(20), attempt).await.unwrap();
}

#[tokio::test]
async fn an_event_that_keeps_failing_does_not_prevent_a_reconnect() {
    let (database, broker, mut attempts) = start_consumer().await;
    broker.publish(FAILING).await;
    wait_for_attempt(&mut attempts, FAILING).await;

    broker.delete_consumer_queue().await;
    broker.wait_for_consumer().await;
    broker.publish(APPLIED).await;
    wait_for_attempt(&mut attempts, APPLIED).await;

    broker.clean_up().await;
    database.drop().await;
}

#[tokio::test]
async fn an_event_is_dead_lettered_after_repeated_panics_of_its_handler() {
    let (database, broker, mut attempts) = start_consumer().await;
    let event = EventId::new(SystemClock.now());
    broker.publish_with_id(event, PANICKING).await;
    wait_for_attempt(&mut attempts, PANICKING).await;
    broker.publish(APPLIED).await;
    wait_for_attempt(&mut attempts, APPLIED).await;
    wait_for_attempt(&mut attempts, PANICKING).await;

    assert_eq!(broker.next_dead_letter().await, event);
    broker.clean_up().await;
    database.drop().await;
}

#[tokio::test]
async fn dead_letters_are_moved_back_to_the_queue_of_their_service_once() {
    let (database, broker, mut attempts) = start_consumer().await;
    broker.publish(PANICKING).await;
    wait_for_attempt(&mut attempts, PANICKING).await;
    broker.wait_for_dead_letters(1).await;

    let process = &broker.process;
    let replayed = kit::messaging::replay_dead_letters(process, TOPOLOGY, process.name).await;
    assert_eq!(replayed.unwrap(), 1);
    broker.wait_for_dead_letters(0).await;
    // It was rejected again after all attempts.
    broker.wait_for_dead_letters(1).await;
    let mut repeated = 0;
    while let Ok(event_type) = attempts.try_recv() {
        assert_eq!(event_type, PANICKING);
        repeated += 1;
    }
    assert_eq!(repeated, 2 * 5 - 1, "attempts after the first one");

    let unknown = kit::messaging::replay_dead_letters(process, TOPOLOGY, "unknown").await;
    assert_eq!(
        unknown.unwrap_err().to_string(),
        "unknown consumes no events; these services do: subscriber"
    );
    broker.clean_up().await;
    database.drop().await;
}

#[tokio::test]
async fn an_event_older_than_the_deduplication_window_is_dead_lettered() {
    let (database, broker, mut attempts) = start_consumer().await;
    let now = SystemClock.now();
    let day = Duration::from_hours(24);
    let too_old = EventId::new(now - CONSUMED_EVENT_RETENTION);
    let old = EventId::new(now - CONSUMED_EVENT_RETENTION.checked_sub(2 * day).unwrap());
    broker.publish_with_id(too_old, APPLIED).await;
    broker.publish_with_id(old, OTHER).await;
    wait_for_attempt(&mut attempts, OTHER).await;

    assert_eq!(broker.next_dead_letter().await, too_old);
    let recorded: Vec<EventId> = sqlx::query_scalar("SELECT event_id FROM consumed_events")
        .fetch_all(&database.pool)
        .await
        .unwrap();
    assert_eq!(recorded, [old]);
    broker.clean_up().await;
    database.drop().await;
}

#[tokio::test]
async fn an_event_of_a_type_that_only_a_newer_release_consumes_is_kept_as_a_dead_letter() {
    const NEWER: &str = "test.Newer";
    let (database, broker, mut attempts) = start_consumer().await;
    let event = EventId::new(SystemClock.now());
    broker.bind(NEWER).await;
    broker.publish_with_id(event, NEWER).await;
    broker.publish(APPLIED).await;

    assert_eq!(broker.next_dead_letter().await, event);
    assert_eq!(
        timeout(Duration::from_secs(20), attempts.recv())
            .await
            .unwrap()
            .unwrap(),
        APPLIED
    );
    let recorded: Vec<EventId> = sqlx::query_scalar("SELECT event_id FROM consumed_events")
        .fetch_all(&database.pool)
        .await
        .unwrap();
    assert!(!recorded.contains(&event), "{recorded:?}");
    broker.clean_up().await;
    database.drop().await;
}

#[tokio::test]
async fn database_errors_about_the_data_are_permanent_and_others_transient() {
    let database = Database::create(&[]).await;
    let data_exception = sqlx::query("SELECT 1 / 0").execute(&database.pool).await;
    let constraint_violation = sqlx::query("INSERT INTO consumed_events (event_id) VALUES (NULL)")
        .execute(&database.pool)
        .await;
    let missing_table = sqlx::query("SELECT FROM a_table_of_the_next_release")
        .execute(&database.pool)
        .await;
    for permanent in [data_exception, constraint_violation] {
        let error = ConsumeError::from(permanent.unwrap_err());
        assert!(matches!(error, ConsumeError::Rejected(_)), "{error:?}");
    }
    for transient in [missing_table.unwrap_err(), sqlx::Error::PoolTimedOut] {
        let error = ConsumeError::from(transient);
        assert!(matches!(error, ConsumeError::Transient(_)), "{error:?}");
    }
    database.drop().await;
}

/// Counts the events that are handled at the same time.
#[derive(Default)]
struct CountingHandler {
    active: AtomicUsize,
    max_active: AtomicUsize,
    handled: AtomicUsize,
}

#[async_trait]
impl Handler for CountingHandler {
    async fn handle(&self, _: &Delivery, _: &mut PgConnection) -> Result<(), ConsumeError> {
        let active = self.active.fetch_add(1, Ordering::SeqCst) + 1;
        self.max_active.fetch_max(active, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(30)).await;
        self.active.fetch_sub(1, Ordering::SeqCst);
        self.handled.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

#[tokio::test]
async fn events_use_half_of_the_connections_at_the_same_time() {
    let (database, broker) = (Database::create(&[]).await, TestBroker::new().await);
    let options = (*database.pool.connect_options()).clone();
    let pool = PgPoolOptions::new()
        .max_connections(6)
        .connect_with(options)
        .await
        .unwrap();
    let handler = Arc::new(CountingHandler::default());
    kit::messaging::start(&broker.process, &pool, TOPOLOGY, Some(handler.clone())).unwrap();
    broker.wait_for_consumer().await;
    // More than three batches.
    for _ in 0..64 {
        broker.publish(APPLIED).await;
    }
    let all = async {
        while handler.handled.load(Ordering::SeqCst) < 64 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(20), all).await.unwrap();
    assert_eq!(handler.max_active.load(Ordering::SeqCst), 3);
    broker.clean_up().await;
    pool.close().await;
    database.drop().await;
}

#[tokio::test]
async fn a_pool_that_is_too_small_for_events_and_calls_prevents_the_start() {
    let (database, broker) = (Database::create(&[]).await, TestBroker::new().await);
    let options = (*database.pool.connect_options()).clone();
    let pool = PgPoolOptions::new().max_connections(1).connect_lazy_with(options);
    let handler = Arc::new(CountingHandler::default());
    let error = kit::messaging::start(&broker.process, &pool, TOPOLOGY, Some(handler)).unwrap_err();
    assert!(error.to_string().contains("DATABASE_CONNECTIONS"), "{error}");
    broker.process.shutdown.cancel();
    database.drop().await;
}
