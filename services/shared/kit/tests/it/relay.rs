use std::time::Duration;

use jiff_sqlx::ToSqlx;
use kit::outbox::{self, OutboxEntry};
use secrecy::ExposeSecret;
use sqlx::{Connection, PgConnection};
use testing::{Database, Log};
use tokio::time::{Instant, timeout};
use types::{Clock, EventId, SystemClock};

use crate::{
    broker::{APPLIED, FAILING, OTHER, TOPOLOGY, TestBroker, UNROUTED},
    slow_confirms::SlowConfirms,
};

async fn append(database: &Database, event_types: &[&str]) {
    for event_type in event_types {
        let now = SystemClock.now();
        sqlx::query(
            "INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, occurred_at)
             VALUES ($1, $2, 'ord_1', 1, '', $3)",
        )
        .bind(EventId::new(now).uuid())
        .bind(event_type)
        .bind(now.to_sqlx())
        .execute(&database.pool)
        .await
        .unwrap();
    }
}

async fn wait_for_outbox(database: &Database, expected: &[&str], limit: Duration) {
    let reached = async {
        while database.outbox_event_types().await != expected {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    if timeout(limit, reached).await.is_err() {
        assert_eq!(database.outbox_event_types().await, expected);
    }
}

#[tokio::test]
async fn a_missing_confirm_delays_no_other_event() {
    let database = Database::create(&[]).await;
    let proxy = SlowConfirms::start(TestBroker::address(), FAILING).await;
    let broker = TestBroker::behind(&proxy.url).await;
    append(&database, &[FAILING, APPLIED, OTHER]).await;
    kit::messaging::start(&broker.process, &database.pool, TOPOLOGY, None).unwrap();

    // Shorter than the wait for a confirm.
    let limit = Duration::from_secs(4);
    wait_for_outbox(&database, &[FAILING], limit).await;
    append(&database, &[APPLIED]).await;
    wait_for_outbox(&database, &[FAILING], limit).await;

    let retried = async {
        while proxy.publishes() < 2 {
            append(&database, &[OTHER]).await;
            wait_for_outbox(&database, &[FAILING], limit).await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    timeout(Duration::from_secs(40), retried).await.unwrap();
    let queued = broker.queued().await;
    let applied = queued.iter().filter(|event_type| *event_type == APPLIED).count();
    assert_eq!(applied, 2, "confirmed events were published again: {queued:?}");
    broker.clean_up().await;
    database.drop().await;
}

/// Longest interval between two polls of an empty outbox.
const LONGEST_INTERVAL: Duration = Duration::from_millis(800);

/// Waits until the relay polls at its longest interval, and returns soon after a poll.
async fn wait_for_rare_poll(database: &Database) {
    // Not of the pool, because its connections show the statement that they executed last.
    let mut observer = PgConnection::connect(database.url.expose_secret()).await.unwrap();
    let mut polls: Vec<f64> = Vec::new();
    loop {
        let latest: Option<f64> = sqlx::query_scalar(
            "SELECT extract(epoch FROM max(query_start))::float8 FROM pg_stat_activity
             WHERE datname = current_database() AND query LIKE 'WITH deleted AS%'",
        )
        .fetch_one(&mut observer)
        .await
        .unwrap();
        if let Some(latest) = latest
            && polls.last().is_none_or(|last| latest > *last)
        {
            polls.push(latest);
            if let [.., before, last] = polls[..]
                && last - before > 0.9 * LONGEST_INTERVAL.as_secs_f64()
            {
                return;
            }
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn an_event_of_this_process_is_published_soon_after_a_long_pause() {
    let (database, broker) = (Database::create(&[]).await, TestBroker::new().await);
    kit::messaging::start(&broker.process, &database.pool, TOPOLOGY, None).unwrap();
    append(&database, &[APPLIED]).await;
    wait_for_outbox(&database, &[], Duration::from_secs(10)).await;

    let mut times = Vec::new();
    for _ in 0..3 {
        timeout(Duration::from_secs(30), wait_for_rare_poll(&database))
            .await
            .unwrap();
        let created = Instant::now();
        let event = OutboxEntry::new(APPLIED, &(), "ord_1".to_owned(), 1, SystemClock.now());
        let mut tx = kit::postgres::begin(&database.pool).await.unwrap();
        outbox::append(&mut tx, event).await.unwrap();
        // The relay looks before the transaction ends, too.
        tokio::time::sleep(Duration::from_millis(60)).await;
        tx.commit().await.unwrap();
        wait_for_outbox(&database, &[], Duration::from_secs(5)).await;
        times.push(created.elapsed());
    }
    times.sort_unstable();
    // A relay that does not notice the event publishes it with the next poll.
    assert!(times[1] < LONGEST_INTERVAL.mul_f64(0.75), "{times:?}");
    broker.clean_up().await;
    database.drop().await;
}

#[tokio::test]
async fn published_events_are_kept_and_can_be_published_again() {
    let (database, broker) = (Database::create(&[]).await, TestBroker::new().await);
    append(&database, &[APPLIED, OTHER]).await;
    let written: Vec<(uuid::Uuid, String)> =
        sqlx::query_as("SELECT event_id, kind FROM outbox ORDER BY kind")
            .fetch_all(&database.pool)
            .await
            .unwrap();
    kit::messaging::start(&broker.process, &database.pool, TOPOLOGY, None).unwrap();
    wait_for_outbox(&database, &[], Duration::from_secs(10)).await;
    let published: Vec<(uuid::Uuid, String)> =
        sqlx::query_as("SELECT event_id, kind FROM published_events ORDER BY kind")
            .fetch_all(&database.pool)
            .await
            .unwrap();
    assert_eq!(published, written);

    assert_eq!(broker.queued().await.len(), 2);
    let replay = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../deploy/backup/replay-events.sql"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(std::fs::read_to_string(replay).unwrap()))
        .execute(&database.pool)
        .await
        .unwrap();
    wait_for_outbox(&database, &[], Duration::from_secs(10)).await;
    let mut queued = broker.queued().await;
    queued.sort();
    assert_eq!(queued, [APPLIED, OTHER]);
    broker.clean_up().await;
    database.drop().await;
}

#[tokio::test]
async fn only_events_without_a_queue_are_kept_as_unrouted() {
    let (database, broker) = (Database::create(&[]).await, TestBroker::new().await);
    append(&database, &[APPLIED, UNROUTED]).await;
    kit::messaging::start(&broker.process, &database.pool, TOPOLOGY, None).unwrap();

    wait_for_outbox(&database, &[], Duration::from_secs(10)).await;
    assert_eq!(broker.queued().await, [APPLIED]);
    assert_eq!(broker.unrouted().await, [UNROUTED]);
    broker.clean_up().await;
    database.drop().await;
}

#[tokio::test]
async fn an_event_that_no_queue_takes_stays_in_the_outbox() {
    let (database, broker) = (Database::create(&[]).await, TestBroker::new().await);
    kit::messaging::start(&broker.process, &database.pool, TOPOLOGY, None).unwrap();
    append(&database, &[APPLIED]).await;
    wait_for_outbox(&database, &[], Duration::from_secs(10)).await;

    broker.delete_unrouted_queue().await;
    append(&database, &[UNROUTED, APPLIED]).await;
    wait_for_outbox(&database, &[UNROUTED], Duration::from_secs(10)).await;
    broker.clean_up().await;
    database.drop().await;
}

#[tokio::test]
async fn an_event_that_a_full_queue_rejects_delays_no_other_event_and_is_published_later() {
    let database = Database::create(&[]).await;
    let broker = TestBroker::new().await;
    kit::messaging::start(&broker.process, &database.pool, TOPOLOGY, None).unwrap();
    append(&database, &[APPLIED]).await;
    wait_for_outbox(&database, &[], Duration::from_secs(10)).await;

    broker.add_full_queue(FAILING).await;
    append(&database, &[FAILING, APPLIED, OTHER]).await;
    wait_for_outbox(&database, &[FAILING], Duration::from_secs(10)).await;
    let queued = broker.queued().await;
    let published = |event_type: &str| queued.iter().filter(|queued| *queued == event_type).count();
    assert_eq!((published(APPLIED), published(OTHER)), (2, 1), "{queued:?}");

    broker.delete_full_queue().await;
    wait_for_outbox(&database, &[], Duration::from_secs(40)).await;
    assert!(broker.queued().await.contains(&FAILING.to_owned()));
    broker.clean_up().await;
    database.drop().await;
}

/// Returns the number of rows of the outbox that statements have read.
async fn rows_read(database: &Database) -> i64 {
    sqlx::query_scalar(
        "SELECT (seq_tup_read + idx_tup_fetch)::bigint FROM pg_stat_user_tables WHERE relname = 'outbox'",
    )
    .fetch_one(&database.pool)
    .await
    .unwrap()
}

#[tokio::test]
async fn the_backlog_of_an_event_type_is_not_read_for_the_other_events() {
    const BACKLOG: i32 = 50_000;
    const EVENTS: i32 = 30;
    let (database, broker) = (Database::create(&[]).await, TestBroker::new().await);
    kit::messaging::start(&broker.process, &database.pool, TOPOLOGY, None).unwrap();
    append(&database, &[APPLIED]).await;
    wait_for_outbox(&database, &[], Duration::from_secs(10)).await;

    broker.add_full_queue(FAILING).await;
    append(&database, &[FAILING, APPLIED]).await;
    wait_for_outbox(&database, &[FAILING], Duration::from_secs(10)).await;
    sqlx::query(
        "INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, occurred_at)
         SELECT gen_random_uuid(), $1, 'ord_1', 1, '', now() FROM generate_series(1, $2)",
    )
    .bind(FAILING)
    .bind(BACKLOG)
    .execute(&database.pool)
    .await
    .unwrap();
    let before = rows_read(&database).await;
    // Each event is claimed separately. The statistics of a connection are a second late.
    for _ in 0..EVENTS {
        append(&database, &[APPLIED]).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let remaining: i64 = sqlx::query_scalar("SELECT count(*) FROM outbox WHERE kind <> $1")
        .bind(FAILING)
        .fetch_one(&database.pool)
        .await
        .unwrap();
    assert!(remaining < 5, "{remaining} events are not published");
    let read = rows_read(&database).await - before;
    // The metrics count the outbox every five seconds, which is more often on a slow machine.
    assert!(
        read < i64::from(BACKLOG) * i64::from(EVENTS) / 2,
        "{read} rows were read"
    );
    broker.clean_up().await;
    database.drop().await;
}

#[tokio::test]
async fn events_of_a_missing_queue_raise_an_alarm_and_can_be_replayed() {
    let (database, log) = (Database::create(&[]).await, Log::default());
    let _capture = log.capture();
    let broker = TestBroker::new().await;
    kit::messaging::start(&broker.process, &database.pool, TOPOLOGY, None).unwrap();
    append(&database, &[APPLIED]).await;
    wait_for_outbox(&database, &[], Duration::from_secs(10)).await;

    broker.delete_consumer_queue().await;
    append(&database, &[APPLIED, UNROUTED]).await;
    wait_for_outbox(&database, &[], Duration::from_secs(10)).await;
    let alarm = async {
        while !log.errors().iter().any(|error| error.contains("events=1")) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(20), alarm).await.unwrap();

    let replayed = kit::messaging::replay_unrouted(&broker.process, TOPOLOGY).await;
    assert_eq!(replayed.unwrap(), 1);
    assert_eq!(broker.queued().await, [APPLIED]);
    assert_eq!(broker.unrouted_consumed().await, [""; 0]);
    broker.clean_up().await;
    database.drop().await;
}
