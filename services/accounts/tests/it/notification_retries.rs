//! Notifications whose first attempt fails, or takes long.

use std::time::Duration;

use tokio::time::timeout;

use crate::{
    harness::Harness,
    notification_servers::{Servers, stop_workers},
    notifications::{reachable_consumer, request},
};

const PHONE: &str = "(415) 555-0123";

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
