//! Tombstones of ended sessions in the session cache.

use std::time::Duration;

use accounts::{
    clients::session_cache::SessionCache,
    domain::secret,
    ops::{
        end_session::end_session, logout::logout, remove_consumer::remove_consumer,
        write_tombstones::write_tombstones,
    },
    workers,
};
use kit::lifecycle::Process;
use redis::AsyncTypedCommands;
use tokio::time::timeout;
use types::session_cache::session_cache_key;

use crate::{
    harness::Harness,
    messages::{FileMessages, without_notifications},
    redis_server::RedisServer,
};

const PHONE: &str = "(415) 555-0123";

async fn read_cache(server_url: &str, token: &str) -> Option<String> {
    let client = redis::Client::open(server_url).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let key = session_cache_key(&secret::token_hash(token));
    connection.get(key).await.unwrap()
}

/// Waits up to ten seconds for the tombstone.
async fn wait_for_tombstone(server_url: &str, token: &str) {
    for _ in 0..100 {
        if read_cache(server_url, token).await.as_deref() == Some("ended") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("no tombstone");
}

fn start_workers(harness: &Harness) -> Process {
    let process = Process::detached("accounts");
    workers::start(
        &process,
        &harness.cx,
        &without_notifications(&FileMessages::new().sender),
    );
    process
}

async fn stop_workers(process: Process) {
    process.shutdown.cancel();
    process.tasks.close();
    process.tasks.wait().await;
}

#[tokio::test]
async fn ending_a_session_writes_its_tombstone_at_once() {
    let harness = Harness::new().await;
    let ended = harness.sign_in(PHONE, "old phone").await;
    harness.advance(Duration::from_mins(1));
    let current = harness.sign_in(PHONE, "new phone").await;
    let (consumer, current_id) = (current.session.consumer_id, current.session.id);
    end_session(&harness.cx, consumer, current_id, ended.session.id)
        .await
        .unwrap();
    let cached = read_cache(&crate::harness::redis_url(), &ended.token).await;
    assert_eq!(cached.as_deref(), Some("ended"));
    assert_eq!(
        read_cache(&crate::harness::redis_url(), &current.token).await,
        None
    );
    assert_eq!(harness.count("session_tombstones").await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_logout_without_redis_is_retried_until_the_tombstone_is_written() {
    let mut harness = Harness::new().await;
    let mut redis = RedisServer::stopped();
    harness.cx.session_cache = SessionCache::new(&redis.url().into()).unwrap();
    let token = harness.sign_in(PHONE, "").await.token;
    logout(&harness.cx, &token).await.unwrap();
    assert_eq!(harness.count("session_tombstones").await, 1);
    let process = start_workers(&harness);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(harness.count("session_tombstones").await, 1);
    redis.start().await;
    wait_for_tombstone(&redis.url(), &token).await;
    stop_workers(process).await;
    assert_eq!(harness.count("session_tombstones").await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_tombstone_replaces_the_session_that_a_frozen_cache_still_holds() {
    let mut harness = Harness::new().await;
    let mut redis = RedisServer::stopped();
    redis.start().await;
    harness.cx.session_cache = SessionCache::new(&redis.url().into()).unwrap();
    let token = harness.sign_in(PHONE, "").await.token;
    let client = redis::Client::open(redis.url()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let key = session_cache_key(&secret::token_hash(&token));
    connection.set_ex(&key, "cached session", 60).await.unwrap();

    redis.freeze();
    logout(&harness.cx, &token).await.unwrap();
    assert_eq!(harness.count("session_tombstones").await, 1);
    let process = start_workers(&harness);
    redis.resume();
    wait_for_tombstone(&redis.url(), &token).await;
    stop_workers(process).await;
    harness.database.drop().await;
}

#[tokio::test]
async fn a_consumer_with_many_sessions_is_removed_while_the_cache_does_not_respond() {
    let mut harness = Harness::new().await;
    let mut redis = RedisServer::stopped();
    redis.start().await;
    harness.cx.session_cache = SessionCache::new(&redis.url().into()).unwrap();
    let mut sessions = Vec::new();
    for _ in 0..8 {
        sessions.push(harness.sign_in(PHONE, "").await);
        harness.advance(Duration::from_mins(15));
    }
    let current = &sessions[0].session;
    redis.freeze();
    let removal = remove_consumer(&harness.cx, current.consumer_id, current.id);
    timeout(Duration::from_secs(2), removal).await.unwrap().unwrap();
    redis.resume();
    // The first attempts may fail, because they use the connection of before.
    while write_tombstones(&harness.cx).await.is_err() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for session in &sessions {
        assert_eq!(
            read_cache(&redis.url(), &session.token).await.as_deref(),
            Some("ended")
        );
    }
    assert_eq!(harness.count("session_tombstones").await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn the_end_of_a_session_and_its_tombstone_are_one_change() {
    let harness = Harness::new().await;
    let token = harness.sign_in(PHONE, "").await.token;
    sqlx::raw_sql("ALTER TABLE session_tombstones ADD CONSTRAINT failure CHECK (ended_at < '2000-01-01')")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    assert!(logout(&harness.cx, &token).await.is_err());
    // The consumer gets an error and can log out again.
    accounts::ops::get_session::get_session(&harness.cx, &token)
        .await
        .unwrap();
    harness.database.drop().await;
}
