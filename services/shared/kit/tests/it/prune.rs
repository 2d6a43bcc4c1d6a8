use std::time::Duration;

use kit::{
    idempotency::{self, IdempotencyState, Key},
    lifecycle::Process,
    prune::{self, CONSUMED_EVENT_RETENTION, PUBLISHED_EVENT_RETENTION, RESPONSE_RETENTION},
};
use secrecy::ExposeSecret;
use sqlx::{PgPool, postgres::PgPoolOptions};
use testing::Database;

const MINUTE: Duration = Duration::from_mins(1);

const COUNT_EVENTS: &str = "SELECT count(*) FROM consumed_events";
const COUNT_PUBLISHED: &str = "SELECT count(*) FROM published_events";
const COUNT_KEYS: &str = "SELECT count(*) FROM idempotency";

async fn insert_consumed_events(pool: &PgPool, count: i32, age: Duration) {
    sqlx::query(
        "INSERT INTO consumed_events
         SELECT gen_random_uuid(), now() - $1 * interval '1 second' FROM generate_series(1, $2)",
    )
    .bind(age.as_secs_f64())
    .bind(count)
    .execute(pool)
    .await
    .unwrap();
}

async fn insert_published_events(pool: &PgPool, count: i32, age: Duration) {
    sqlx::query(
        "INSERT INTO published_events
         SELECT now() - $1 * interval '1 second', gen_random_uuid(), 'test.Applied', 'ord_1', 1, '', NULL, now()
         FROM generate_series(1, $2)",
    )
    .bind(age.as_secs_f64())
    .bind(count)
    .execute(pool)
    .await
    .unwrap();
}

/// Inserts the keys `{prefix}1`, `{prefix}2` and so on.
async fn insert_keys(pool: &PgPool, prefix: &str, count: i32, age: Duration, response: Option<&[u8]>) {
    sqlx::query(
        "INSERT INTO idempotency
         SELECT 'usr', 'place_order', $1 || n, 'hash', $2, now() - $3 * interval '1 second'
         FROM generate_series(1, $4) n",
    )
    .bind(prefix)
    .bind(response)
    .bind(age.as_secs_f64())
    .bind(count)
    .execute(pool)
    .await
    .unwrap();
}

async fn count(pool: &PgPool, query: &'static str) -> i64 {
    sqlx::query_scalar(query).fetch_one(pool).await.unwrap()
}

async fn wait_for_count(pool: &PgPool, query: &'static str, expected: i64) {
    let reached = async {
        while count(pool, query).await != expected {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    if tokio::time::timeout(Duration::from_secs(30), reached)
        .await
        .is_err()
    {
        assert_eq!(count(pool, query).await, expected, "{query}");
    }
}

async fn stop(process: &Process) {
    process.shutdown.cancel();
    process.tasks.close();
    process.tasks.wait().await;
}

#[tokio::test]
async fn only_finished_rows_past_their_retention_are_deleted() {
    let database = Database::create(&[]).await;
    let pool = &database.pool;
    insert_consumed_events(pool, 3, CONSUMED_EVENT_RETENTION + MINUTE).await;
    insert_consumed_events(pool, 5, CONSUMED_EVENT_RETENTION.checked_sub(MINUTE).unwrap()).await;
    insert_published_events(pool, 3, PUBLISHED_EVENT_RETENTION + MINUTE).await;
    insert_published_events(pool, 4, PUBLISHED_EVENT_RETENTION.checked_sub(MINUTE).unwrap()).await;
    insert_keys(pool, "expired", 3, RESPONSE_RETENTION + MINUTE, Some(b"response")).await;
    insert_keys(
        pool,
        "retained",
        5,
        RESPONSE_RETENTION.checked_sub(MINUTE).unwrap(),
        Some(b"response"),
    )
    .await;
    // Recovery may still need them, whatever their age.
    insert_keys(pool, "running", 2, RESPONSE_RETENTION * 10, None).await;

    let process = Process::detached("test");
    prune::start(&process, pool);
    wait_for_count(pool, COUNT_EVENTS, 5).await;
    wait_for_count(pool, COUNT_PUBLISHED, 4).await;
    wait_for_count(pool, COUNT_KEYS, 7).await;
    stop(&process).await;
    assert_eq!(
        (count(pool, COUNT_EVENTS).await, count(pool, COUNT_KEYS).await),
        (5, 7)
    );

    let mut conn = pool.acquire().await.unwrap();
    let mut state = async |key: &str| {
        let key = Key {
            scope: "usr",
            operation: "place_order",
            key,
        };
        idempotency::find(&mut conn, key, b"hash").await.unwrap()
    };
    assert_eq!(state("expired1").await, IdempotencyState::New);
    assert_eq!(
        state("retained1").await,
        IdempotencyState::Finished(b"response".to_vec())
    );
    assert_eq!(state("running1").await, IdempotencyState::Running);
    drop(conn);
    database.drop().await;
}

#[tokio::test]
async fn several_replicas_prune_in_batches_at_the_same_time() {
    let database = Database::create(&[]).await;
    let pool = &database.pool;
    insert_consumed_events(pool, 7_500, CONSUMED_EVENT_RETENTION * 2).await;
    insert_keys(pool, "old", 3_500, RESPONSE_RETENTION * 2, Some(b"response")).await;
    insert_consumed_events(pool, 10, MINUTE).await;
    let replicas = [(); 3].map(|()| Process::detached("test"));
    for process in &replicas {
        prune::start(process, pool);
    }
    wait_for_count(pool, COUNT_EVENTS, 10).await;
    wait_for_count(pool, COUNT_KEYS, 0).await;
    for process in &replicas {
        stop(process).await;
    }
    database.drop().await;
}

#[tokio::test]
async fn old_rows_are_found_without_sequential_scans() {
    let database = Database::create(&[]).await;
    // A single connection, which reports its table statistics on request.
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .connect(database.url.expose_secret())
        .await
        .unwrap();
    insert_consumed_events(&pool, 20_000, MINUTE).await;
    insert_consumed_events(&pool, 50, CONSUMED_EVENT_RETENTION * 2).await;
    insert_keys(&pool, "young", 20_000, MINUTE, Some(b"response")).await;
    insert_keys(&pool, "old", 50, RESPONSE_RETENTION * 2, Some(b"response")).await;
    for vacuum in ["VACUUM ANALYZE consumed_events", "VACUUM ANALYZE idempotency"] {
        sqlx::query(vacuum).execute(&pool).await.unwrap();
    }
    let sequential_scans = async || -> i64 {
        flush_statistics(&pool).await;
        sqlx::query_scalar(
            "SELECT sum(seq_scan)::bigint FROM pg_stat_user_tables WHERE relname IN ('consumed_events', 'idempotency')",
        )
        .fetch_one(&pool)
        .await
        .unwrap()
    };
    let before = sequential_scans().await;
    let process = Process::detached("test");
    prune::start(&process, &pool);
    // Counting the remaining rows would be a sequential scan, so this watches the statistics instead.
    let pruned = async {
        let dead_rows = "SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = 'idempotency'";
        while count(&pool, dead_rows).await == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
            flush_statistics(&pool).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), pruned)
        .await
        .unwrap();
    assert_eq!(sequential_scans().await, before);
    stop(&process).await;
    assert_eq!(
        (count(&pool, COUNT_EVENTS).await, count(&pool, COUNT_KEYS).await),
        (20_000, 20_000)
    );
    pool.close().await;
    database.drop().await;
}

async fn flush_statistics(pool: &PgPool) {
    sqlx::query("SELECT pg_stat_force_next_flush()")
        .execute(pool)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_locked_table_prevents_neither_pruning_of_the_other_nor_shutdown() {
    let database = Database::create(&[]).await;
    let pool = &database.pool;
    insert_consumed_events(pool, 3, CONSUMED_EVENT_RETENTION * 2).await;
    insert_keys(pool, "old", 3, RESPONSE_RETENTION * 2, Some(b"response")).await;
    let mut lock = kit::postgres::begin(pool).await.unwrap();
    sqlx::query("LOCK TABLE consumed_events IN ACCESS EXCLUSIVE MODE")
        .execute(&mut *lock)
        .await
        .unwrap();
    let process = Process::detached("test");
    prune::start(&process, pool);
    wait_for_count(pool, COUNT_KEYS, 0).await;
    stop(&process).await;
    lock.rollback().await.unwrap();
    assert_eq!(count(pool, COUNT_EVENTS).await, 3);
    database.drop().await;
}

#[tokio::test]
async fn shutdown_ends_pruning_after_the_current_batch() {
    let database = Database::create(&[]).await;
    let pool = &database.pool;
    insert_consumed_events(pool, 50_000, CONSUMED_EVENT_RETENTION * 2).await;
    let process = Process::detached("test");
    prune::start(&process, pool);
    while count(pool, COUNT_EVENTS).await == 50_000 {
        tokio::task::yield_now().await;
    }
    tokio::time::timeout(Duration::from_secs(10), stop(&process))
        .await
        .unwrap();
    let remaining = count(pool, COUNT_EVENTS).await;
    assert!(
        remaining > 0 && remaining % 1_000 == 0,
        "{remaining}: whole batches"
    );
    database.drop().await;
}
