use std::time::Duration;

use accounts::{
    ops::{get_session::get_session, logout::logout},
    workers::prune::prune_tables,
};
use kit::lifecycle::Process;

use crate::harness::Harness;

const DAY: Duration = Duration::from_hours(24);
const PHONE: &str = "(415) 555-0123";

async fn prune(harness: &Harness) {
    prune_tables(&Process::detached("accounts"), &harness.cx)
        .await
        .unwrap();
}

async fn counts(harness: &Harness) -> [i64; 3] {
    [
        harness.count("code_attempts").await,
        harness.count("challenges").await,
        harness.count("messages").await,
    ]
}

#[tokio::test]
async fn attempts_codes_and_messages_are_deleted_when_no_limit_counts_them() {
    let harness = Harness::new().await;
    harness.sign_in(PHONE, "").await;
    harness.advance(Duration::from_mins(9));
    prune(&harness).await;
    assert_eq!(counts(&harness).await, [1, 1, 1]);
    harness.advance(2 * DAY);
    prune(&harness).await;
    assert_eq!(counts(&harness).await, [0, 0, 0]);
    harness.database.drop().await;
}

#[tokio::test]
async fn attempts_counted_by_the_previous_version_are_deleted() {
    let harness = Harness::new().await;
    sqlx::raw_sql("INSERT INTO sign_in_attempts VALUES ('+14155550123', '', '2026-11-20T15:30:00Z', 3)")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    prune(&harness).await;
    assert_eq!(harness.count("sign_in_attempts").await, 1);
    harness.advance(2 * DAY);
    prune(&harness).await;
    assert_eq!(harness.count("sign_in_attempts").await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn sessions_are_deleted_a_month_after_they_ended_or_expired() {
    let harness = Harness::new().await;
    let ended = harness.sign_in(PHONE, "").await;
    logout(&harness.cx, &ended.token).await.unwrap();
    harness.advance(DAY);
    // Expires after 90 days.
    harness.sign_in(PHONE, "").await;
    prune(&harness).await;
    assert_eq!(harness.count("sessions").await, 2);
    harness.advance(30 * DAY);
    prune(&harness).await;
    assert_eq!(harness.count("sessions").await, 1);
    harness.advance(89 * DAY);
    prune(&harness).await;
    assert_eq!(harness.count("sessions").await, 1);
    harness.advance(2 * DAY);
    prune(&harness).await;
    assert_eq!(harness.count("sessions").await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_device_is_deleted_after_a_year_without_a_sign_in_unless_it_has_a_session() {
    let harness = Harness::new().await;
    let used = harness.sign_in(PHONE, "used").await;
    harness.advance(DAY);
    let ended = harness.sign_in(PHONE, "unused").await;
    logout(&harness.cx, &ended.token).await.unwrap();
    for _ in 0..6 {
        harness.advance(70 * DAY);
        get_session(&harness.cx, &used.token).await.unwrap();
    }
    prune(&harness).await;
    assert_eq!(harness.count("devices").await, 1);
    logout(&harness.cx, &used.token).await.unwrap();
    prune(&harness).await;
    assert_eq!(harness.count("devices").await, 0);
    harness.database.drop().await;
}
