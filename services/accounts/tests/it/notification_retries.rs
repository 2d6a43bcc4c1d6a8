//! Notifications whose first attempt fails, or takes long.

use std::time::Duration;

use tokio::time::timeout;

use crate::{
    harness::Harness,
    notification_servers::{Servers, stop_workers},
    notifications::{reachable_consumer, request},
};

const PHONE: &str = "(415) 555-0123";
const OTHER: &str = "(415) 555-0199";

#[tokio::test]
async fn a_notification_whose_recipient_could_not_be_read_is_sent_later() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    request(&harness, signed_in.session.consumer_id, "order_ready").await;
    let execute = async |sql: &'static str| {
        sqlx::query(sql).execute(&harness.cx.pool).await.unwrap();
    };
    execute("ALTER TABLE consumers RENAME COLUMN notify_by_sms TO failure").await;
    let process = servers.start_workers(&harness);
    let all_leased = async {
        let leased = || harness.count("notifications WHERE attempts = 1");
        while leased().await < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(20), all_leased).await.unwrap();
    stop_workers(process).await;
    execute("ALTER TABLE consumers RENAME COLUMN failure TO notify_by_sms").await;
    execute("UPDATE notifications SET leased_until = now() - interval '1 s'").await;
    servers.run_workers(&harness).await;
    assert_eq!((servers.texts().len(), servers.mails().len()), (1, 1));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_text_is_sent_while_a_push_service_does_not_respond() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let with_app = harness.sign_in(OTHER, "phone").await;
    servers.register_app(&harness, &with_app, "token").await;
    let with_texts = reachable_consumer(&harness, PHONE).await;
    servers.hold_native_pushes(true);
    for _ in 0..40 {
        request(&harness, with_app.session.consumer_id, "order_ready").await;
    }
    let process = servers.start_workers(&harness);
    let pushed = async {
        while servers.native_pushes().is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(20), pushed).await.unwrap();
    request(&harness, with_texts.session.consumer_id, "order_ready").await;
    let sent = async {
        while servers.texts().is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    // Shorter than the time for one attempt to push.
    let sent = timeout(Duration::from_secs(5), sent).await;
    servers.hold_native_pushes(false);
    stop_workers(process).await;
    sent.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn a_notification_that_is_sent_again_waits_behind_newer_ones() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = harness.sign_in(PHONE, "phone").await;
    let consumer = signed_in.session.consumer_id;
    servers.register_app(&harness, &signed_in, "token").await;
    servers.fail_next(&[503]);
    request(&harness, consumer, "order_ready").await;
    let requested_at = harness.cx.clock.now();
    harness.advance(Duration::from_mins(1));
    servers.run_workers(&harness).await;
    assert_eq!(servers.native_pushes().len(), 2);
    let send_after: jiff_sqlx::Timestamp = sqlx::query_scalar("SELECT send_after FROM notifications")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(send_after.to_jiff(), requested_at + Duration::from_mins(1));
    harness.database.drop().await;
}
