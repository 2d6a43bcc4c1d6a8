//! What is forgotten of the kit's tables, what is not, and how.

use std::time::Duration;

use kit::{
    idempotency::{self, IdempotencyState, Key},
    lifecycle::Process,
    prune::{self, ANSWERS_KEPT, CONSUMED_KEPT},
};
use secrecy::ExposeSecret;
use sqlx::{PgPool, postgres::PgPoolOptions};
use testing::Database;

const MINUTE: Duration = Duration::from_secs(60);

/// So many events that were consumed so long ago.
async fn consumed(pool: &PgPool, count: i32, ago: Duration) {
    sqlx::query(
        "INSERT INTO consumed_events
         SELECT gen_random_uuid(), now() - $1 * interval '1 second' FROM generate_series(1, $2)",
    )
    .bind(ago.as_secs_f64())
    .bind(count)
    .execute(pool)
    .await
    .unwrap();
}

/// So many keys that were taken so long ago, with or without an answer.
async fn asked(pool: &PgPool, name: &str, count: i32, ago: Duration, answer: Option<&[u8]>) {
    sqlx::query(
        "INSERT INTO idempotency
         SELECT 'usr', 'place_order', $1 || n, 'hash', $2, now() - $3 * interval '1 second'
         FROM generate_series(1, $4) n",
    )
    .bind(name)
    .bind(answer)
    .bind(ago.as_secs_f64())
    .bind(count)
    .execute(pool)
    .await
    .unwrap();
}

async fn count(pool: &PgPool, question: &'static str) -> i64 {
    sqlx::query_scalar(question).fetch_one(pool).await.unwrap()
}

const EVENTS: &str = "SELECT count(*) FROM consumed_events";
const KEYS: &str = "SELECT count(*) FROM idempotency";

/// Until there are only so many.
async fn left(pool: &PgPool, question: &'static str, wanted: i64) {
    let down = async {
        while count(pool, question).await != wanted {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    if tokio::time::timeout(Duration::from_secs(30), down).await.is_err() {
        assert_eq!(count(pool, question).await, wanted, "{question}");
    }
}

async fn stop(process: &Process) {
    process.shutdown.cancel();
    process.tasks.close();
    process.tasks.wait().await;
}

#[tokio::test]
async fn only_what_is_past_its_time_and_finished_is_forgotten() {
    let database = Database::create(&[]).await;
    let pool = &database.pool;
    consumed(pool, 3, CONSUMED_KEPT + MINUTE).await;
    consumed(pool, 5, CONSUMED_KEPT - MINUTE).await;
    asked(pool, "answered", 3, ANSWERS_KEPT + MINUTE, Some(b"answer")).await;
    asked(pool, "promised", 5, ANSWERS_KEPT - MINUTE, Some(b"answer")).await;
    // Recovery may still be at it, however long that takes.
    asked(pool, "running", 2, ANSWERS_KEPT * 10, None).await;

    let process = Process::detached("test");
    prune::start(&process, pool);
    left(pool, EVENTS, 5).await;
    left(pool, KEYS, 7).await;
    stop(&process).await;
    assert_eq!((count(pool, EVENTS).await, count(pool, KEYS).await), (5, 7));

    let mut conn = pool.acquire().await.unwrap();
    let mut found = async |key: &str| {
        let key = Key {
            scope: "usr",
            operation: "place_order",
            key,
        };
        idempotency::find(&mut conn, key, b"hash").await.unwrap()
    };
    assert_eq!(found("answered1").await, IdempotencyState::None);
    assert_eq!(
        found("promised1").await,
        IdempotencyState::Finished(b"answer".to_vec())
    );
    assert_eq!(found("running1").await, IdempotencyState::Running);
    drop(conn);
    database.drop().await;
}

#[tokio::test]
async fn replicas_forget_side_by_side_and_batch_by_batch() {
    let database = Database::create(&[]).await;
    let pool = &database.pool;
    consumed(pool, 7_500, CONSUMED_KEPT * 2).await;
    asked(pool, "old", 3_500, ANSWERS_KEPT * 2, Some(b"answer")).await;
    consumed(pool, 10, MINUTE).await;
    let replicas = [(); 3].map(|()| Process::detached("test"));
    for process in &replicas {
        prune::start(process, pool);
    }
    left(pool, EVENTS, 10).await;
    left(pool, KEYS, 0).await;
    for process in &replicas {
        stop(process).await;
    }
    database.drop().await;
}

#[tokio::test]
async fn the_old_are_found_by_their_age_and_not_by_reading_everything() {
    let database = Database::create(&[]).await;
    // Its one connection counts the reads of the table, and tells of them when it is asked to.
    let one = PgPoolOptions::new()
        .max_connections(1)
        .connect(database.url.expose_secret())
        .await
        .unwrap();
    consumed(&one, 20_000, MINUTE).await;
    consumed(&one, 50, CONSUMED_KEPT * 2).await;
    asked(&one, "young", 20_000, MINUTE, Some(b"answer")).await;
    asked(&one, "old", 50, ANSWERS_KEPT * 2, Some(b"answer")).await;
    for table in ["VACUUM ANALYZE consumed_events", "VACUUM ANALYZE idempotency"] {
        sqlx::query(table).execute(&one).await.unwrap();
    }
    let scans = async || -> i64 {
        sqlx::query("SELECT pg_stat_force_next_flush()")
            .execute(&one)
            .await
            .unwrap();
        sqlx::query_scalar(
            "SELECT sum(seq_scan)::bigint FROM pg_stat_user_tables WHERE relname IN ('consumed_events', 'idempotency')",
        )
        .fetch_one(&one)
        .await
        .unwrap()
    };
    let before = scans().await;
    let process = Process::detached("test");
    prune::start(&process, &one);
    // Counting rows reads everything too: that is done elsewhere, and afterwards.
    let done = async {
        let question = "SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = 'idempotency'";
        while count(&one, question).await == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
            sqlx::query("SELECT pg_stat_force_next_flush()")
                .execute(&one)
                .await
                .unwrap();
        }
    };
    tokio::time::timeout(Duration::from_secs(30), done).await.unwrap();
    assert_eq!(scans().await, before, "read from end to end");
    stop(&process).await;
    assert_eq!(
        (count(&one, EVENTS).await, count(&one, KEYS).await),
        (20_000, 20_000)
    );
    one.close().await;
    database.drop().await;
}

#[tokio::test]
async fn a_table_that_somebody_holds_stops_neither_the_rest_nor_the_end() {
    let database = Database::create(&[]).await;
    let pool = &database.pool;
    consumed(pool, 3, CONSUMED_KEPT * 2).await;
    asked(pool, "old", 3, ANSWERS_KEPT * 2, Some(b"answer")).await;
    let mut held = pool.begin().await.unwrap();
    sqlx::query("LOCK TABLE consumed_events IN ACCESS EXCLUSIVE MODE")
        .execute(&mut *held)
        .await
        .unwrap();
    let process = Process::detached("test");
    prune::start(&process, pool);
    left(pool, KEYS, 0).await;
    stop(&process).await;
    held.rollback().await.unwrap();
    assert_eq!(count(pool, EVENTS).await, 3);
    database.drop().await;
}

#[tokio::test]
async fn told_to_stop_it_leaves_the_rest_for_later() {
    let database = Database::create(&[]).await;
    let pool = &database.pool;
    consumed(pool, 50_000, CONSUMED_KEPT * 2).await;
    let process = Process::detached("test");
    prune::start(&process, pool);
    while count(pool, EVENTS).await == 50_000 {
        tokio::task::yield_now().await;
    }
    tokio::time::timeout(Duration::from_secs(10), stop(&process))
        .await
        .unwrap();
    assert_eq!(count(pool, EVENTS).await % 1_000, 0, "whole batches");
    assert!(count(pool, EVENTS).await > 0);
    database.drop().await;
}
