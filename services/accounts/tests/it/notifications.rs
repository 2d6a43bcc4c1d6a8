//! Notifications, from the event of rewards to local push, mail and SMS servers.

use std::time::Duration;

use accounts::{
    domain::{
        notification::{Channel, RequestedNotification},
        settings::SaveSettings,
        stop_token::stop_token,
    },
    ops::{
        end_session::end_session,
        get_settings::get_settings,
        remove_consumer::remove_consumer,
        request_notification::request_notification,
        save_settings::save_settings,
        stop_notifications::{StopNotificationsError, stop_notifications},
    },
    workers::prune::prune_tables,
};
use futures::future::join_all;
use kit::{consumer::Handler as _, lifecycle::Process};
use proto::rewards::v1::notification_event::Change;
use types::ConsumerId;

use crate::{
    harness::Harness,
    notification_servers::{Servers, new_message, only, requested, tablet},
};

const PHONE: &str = "(415) 555-0123";
const OTHER: &str = "(415) 555-0199";

/// The consumer signs in with push, SMS and email on.
pub async fn reachable_consumer(harness: &Harness, phone: &str) -> accounts::domain::session::NewSession {
    let signed_in = harness.sign_in(phone, "phone").await;
    let consumer = signed_in.session.consumer_id;
    sqlx::query("UPDATE consumers SET email = $2, verified_email = $2, notify_by_sms = true WHERE id = $1")
        .bind(consumer.uuid())
        .bind(format!("{}@example.com", consumer.uuid().simple()))
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    sqlx::query("DELETE FROM messages")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    signed_in
}

pub async fn request(harness: &Harness, consumer: ConsumerId, template: &str) {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let notification = only(template, consumer, harness.cx.clock.now());
    request_notification(&harness.cx, &mut conn, &notification)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_message_goes_out_once_on_each_channel_and_device() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    let consumer = signed_in.session.consumer_id;
    servers.register(&harness, &signed_in, "phone").await;
    let other = tablet(&harness, PHONE).await;
    servers.register(&harness, &other, "tablet").await;

    let event = requested(consumer, new_message(), harness.cx.clock.now());
    let handler = accounts::consumers::Consumers(harness.cx.clone());
    for _ in 0..3 {
        let mut conn = harness.cx.pool.acquire().await.unwrap();
        handler
            .handle(&testing::delivery(&event), &mut conn)
            .await
            .unwrap();
    }
    // Several replicas.
    join_all((0..3).map(|_| servers.run_workers(&harness))).await;

    let pushes = servers.pushes();
    let mut devices: Vec<_> = pushes.iter().map(|push| push.device.as_str()).collect();
    devices.sort_unstable();
    assert_eq!(devices, ["phone", "tablet"]);
    for push in &pushes {
        assert_eq!(push.message["consumerId"], consumer.to_string());
        assert_eq!(push.message["title"], "Your order is ready");
        assert_eq!(push.message["body"], "Pick it up at Sunset & Maltman.");
        assert!(push.message["path"].as_str().unwrap().starts_with("/orders/ord_"));
        assert_eq!((&*push.urgency, push.topic.len()), ("high", 32));
        assert!(push.ttl <= 1_800, "{}", push.ttl);
    }
    let mails = servers.mails();
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(mails[0].contains("Subject: Your order is ready"), "{}", mails[0]);
    assert!(mails[0].contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"));
    let texts = servers.texts();
    assert_eq!(texts.len(), 1);
    assert_eq!(texts[0]["to"], "+14155550123");
    assert!(
        texts[0]["body"]
            .as_str()
            .unwrap()
            .starts_with("Your order is ready. Pick it up")
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn a_text_or_email_with_an_unknown_outcome_is_not_repeated_but_a_push_is() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    servers.register(&harness, &signed_in, "phone").await;
    servers.fail_next(&[500]);
    servers.drop_next_mail();
    request(&harness, signed_in.session.consumer_id, "order_ready").await;
    servers.run_workers(&harness).await;
    let states: Vec<(String, String)> =
        sqlx::query_as("SELECT channel, state FROM notifications ORDER BY channel")
            .fetch_all(&harness.cx.pool)
            .await
            .unwrap();
    let expected = [("email", "unclear"), ("push", "sent"), ("sms", "unclear")];
    assert_eq!(
        states,
        expected.map(|(channel, state)| (channel.to_owned(), state.to_owned()))
    );
    assert_eq!(
        (servers.pushes().len(), servers.texts().len()),
        (2, 1),
        "the first attempts failed"
    );
    assert_eq!(servers.mails().len(), 1);
    harness.database.drop().await;
}

#[tokio::test]
async fn native_apps_of_a_consumer_have_different_idempotency_keys() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let phone = harness.sign_in(PHONE, "phone").await;
    servers.register_app(&harness, &phone, "token-of-phone").await;
    let tablet = tablet(&harness, PHONE).await;
    servers.register_app(&harness, &tablet, "token-of-tablet").await;
    request(&harness, phone.session.consumer_id, "order_ready").await;
    servers.run_workers(&harness).await;
    let [first, second] = servers.native_pushes().try_into().unwrap();
    assert_ne!(first.idempotency_key, second.idempotency_key);
    assert_ne!(first.body["token"], second.body["token"]);
    assert_eq!(first.body["message"], second.body["message"]);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_push_to_a_native_app_is_repeated_with_an_equal_request() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = harness.sign_in(PHONE, "phone").await;
    servers.register_app(&harness, &signed_in, "token").await;
    servers.fail_next(&[503]);
    let expires_at = harness.cx.clock.now() + Duration::from_mins(30);
    request(&harness, signed_in.session.consumer_id, "order_ready").await;
    let pass_time = async {
        while servers.native_pushes().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        harness.advance(Duration::from_mins(1));
    };
    tokio::join!(servers.run_workers(&harness), pass_time);
    let [first, second] = servers.native_pushes().try_into().unwrap();
    assert_eq!(first, second);
    assert_eq!(first.body["expiresAt"], expires_at.to_string());
    harness.database.drop().await;
}

#[tokio::test]
async fn a_notification_that_was_not_sent_in_time_is_deleted() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    let consumer = signed_in.session.consumer_id;
    servers.register(&harness, &signed_in, "phone").await;
    request(&harness, consumer, "order_ready").await;
    // A replica stopped while it sent the push, and another one sends the email.
    for (channel, leased_until) in [
        ("push", "now() - interval '1 s'"),
        ("email", "now() + interval '1 h'"),
    ] {
        let lease = format!(
            "UPDATE notifications SET state = 'sending', leased_until = {leased_until} WHERE channel = $1"
        );
        sqlx::query(sqlx::AssertSqlSafe(lease))
            .bind(channel)
            .execute(&harness.cx.pool)
            .await
            .unwrap();
    }
    let process = Process::detached("accounts");
    harness.advance(Duration::from_mins(30));
    prune_tables(&process, &harness.cx).await.unwrap();
    assert_eq!(harness.count("notifications").await, 3);
    harness.advance(Duration::from_secs(1));
    prune_tables(&process, &harness.cx).await.unwrap();
    let left: Vec<String> = sqlx::query_scalar("SELECT channel FROM notifications")
        .fetch_all(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(left, ["email"]);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_server_that_is_away_or_busy_is_called_again() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    servers.fail_next(&[429, 503]);
    request(&harness, signed_in.session.consumer_id, "order_ready").await;
    servers.run_workers(&harness).await;
    assert_eq!(
        (servers.texts().len(), servers.mails().len()),
        (3, 1),
        "two attempts failed"
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn nothing_goes_to_an_ended_session_a_removed_consumer_or_the_previous_owner_of_a_device() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    let consumer = signed_in.session.consumer_id;
    servers.register(&harness, &signed_in, "phone").await;
    let tablet = tablet(&harness, PHONE).await;
    servers.register(&harness, &tablet, "tablet").await;
    let other = reachable_consumer(&harness, OTHER).await;

    // Queued before the tablet is signed out, and before another consumer signs in on the phone.
    request(&harness, consumer, "order_ready").await;
    end_session(&harness.cx, consumer, signed_in.session.id, tablet.session.id)
        .await
        .unwrap();
    servers.register(&harness, &other, "phone").await;
    servers.run_workers(&harness).await;
    assert_eq!(servers.pushes(), Vec::new());

    // The next message of the other consumer arrives, none of the first one.
    request(&harness, consumer, "order_ready").await;
    request(&harness, other.session.consumer_id, "order_ready").await;
    servers.run_workers(&harness).await;
    assert_eq!(servers.pushes().len(), 1);

    let (texts, mails) = (servers.texts().len(), servers.mails().len());
    request(&harness, other.session.consumer_id, "order_ready").await;
    remove_consumer(&harness.cx, other.session.consumer_id, other.session.id)
        .await
        .unwrap();
    request(&harness, other.session.consumer_id, "order_ready").await;
    servers.run_workers(&harness).await;
    assert_eq!((servers.texts().len(), servers.mails().len()), (texts, mails));
    assert_eq!(servers.pushes().len(), 1);
    assert_eq!(
        harness.count("push_subscriptions").await,
        1,
        "the tablet's, whose session has ended"
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn a_device_that_its_push_service_does_not_know_is_forgotten() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = harness.sign_in(PHONE, "phone").await;
    servers.register(&harness, &signed_in, "phone").await;
    servers.fail_next(&[410]);
    request(&harness, signed_in.session.consumer_id, "order_ready").await;
    servers.run_workers(&harness).await;
    assert_eq!(harness.count("push_subscriptions").await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn quiet_hours_of_the_consumers_zone_delay_what_can_wait() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    let consumer = signed_in.session.consumer_id;
    let zone = |name: &str| SaveSettings {
        time_zone: Some(name.to_owned()),
        email: Some(false),
        ..SaveSettings::default()
    };
    assert!(
        save_settings(&harness.cx, consumer, zone("Mars/Base"))
            .await
            .is_err()
    );
    // 8 AM in Los Angeles is midnight in Tokyo.
    save_settings(&harness.cx, consumer, zone("Asia/Tokyo"))
        .await
        .unwrap();
    request(&harness, consumer, "refund_done").await;
    request(&harness, consumer, "order_ready").await;
    servers.run_workers(&harness).await;
    assert_eq!(servers.texts().len(), 1);
    harness.advance(Duration::from_hours(7));
    servers.run_workers(&harness).await;
    assert_eq!(servers.texts().len(), 2);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_notification_that_is_late_waits_for_the_morning() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    let consumer = signed_in.session.consumer_id;
    servers.register(&harness, &signed_in, "phone").await;
    // From 8 AM to 8:55 PM in Los Angeles.
    harness.advance(Duration::from_mins(12 * 60 + 55));
    request(&harness, consumer, "refund_done").await;
    request(&harness, consumer, "order_ready").await;
    harness.advance(Duration::from_mins(10));
    servers.run_workers(&harness).await;
    let sent = |servers: &Servers| {
        (
            servers.texts().len(),
            servers.mails().len(),
            servers.pushes().len(),
        )
    };
    assert_eq!(sent(&servers), (1, 1, 1), "the order is ready");
    // 8 AM.
    harness.advance(Duration::from_mins(10 * 60 + 55));
    servers.run_workers(&harness).await;
    assert_eq!(sent(&servers), (2, 2, 2));
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_that_was_ready_long_ago_is_not_notified() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    let consumer = signed_in.session.consumer_id;
    let now = harness.cx.clock.now();
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    // Received late, and received in time but sent late.
    for (minutes, expected) in [(31, 0), (29, 2)] {
        let ready = RequestedNotification {
            occurred_at: now - Duration::from_mins(minutes),
            ..only("order_ready", consumer, now)
        };
        request_notification(&harness.cx, &mut conn, &ready)
            .await
            .unwrap();
        assert_eq!(harness.count("notifications").await, expected, "{minutes}");
    }
    drop(conn);
    harness.advance(Duration::from_mins(2));
    servers.run_workers(&harness).await;
    assert_eq!((servers.texts().len(), servers.mails().len()), (0, 0));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_change_of_an_order_for_later_is_notified_late() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    let consumer = signed_in.session.consumer_id;
    let now = harness.cx.clock.now();
    let mut event = requested(consumer, new_message(), now - Duration::from_mins(40));
    let Some(Change::Requested(moved)) = &mut event.change else {
        panic!("{event:?}");
    };
    "order_delayed".clone_into(&mut moved.template);
    moved.useful_until = (now + Duration::from_hours(14)).to_string();
    let handler = accounts::consumers::Consumers(harness.cx.clone());
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    handler
        .handle(&testing::delivery(&event), &mut conn)
        .await
        .unwrap();
    drop(conn);
    harness.advance(Duration::from_hours(1));
    servers.run_workers(&harness).await;
    assert_eq!((servers.texts().len(), servers.mails().len()), (1, 1));
    harness.database.drop().await;
}

/// Requests notifications with these templates, about an earlier and a later event. Returns the sorted templates of those sent.
async fn send_both(order_id: &str, templates: [&str; 2]) -> Vec<String> {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    servers.register(&harness, &signed_in, "phone").await;
    let now = harness.cx.clock.now();
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    // The later event is received first.
    for (minutes, template) in [(1, templates[1]), (2, templates[0])] {
        let notification = RequestedNotification {
            title: template.to_owned(),
            order_id: order_id.to_owned(),
            occurred_at: now - Duration::from_mins(minutes),
            ..only(template, signed_in.session.consumer_id, now)
        };
        request_notification(&harness.cx, &mut conn, &notification)
            .await
            .unwrap();
    }
    drop(conn);
    servers.run_workers(&harness).await;
    let pushes = servers.pushes();
    assert_eq!(
        (servers.texts().len(), servers.mails().len()),
        (pushes.len(), pushes.len())
    );
    harness.database.drop().await;
    let titles = pushes
        .iter()
        .map(|push| push.message["title"].as_str().unwrap().to_owned());
    let mut titles: Vec<_> = titles.collect();
    titles.sort_unstable();
    titles
}

#[tokio::test]
async fn only_the_newest_notification_about_an_order_is_sent() {
    let sent = send_both("ord_1", ["order_delayed", "order_rejected"]).await;
    assert_eq!(sent, ["order_rejected"]);
}

#[tokio::test]
async fn notifications_that_are_not_about_the_progress_of_an_order_are_all_sent() {
    for (order_id, mut templates) in [
        ("", ["order_delayed", "order_rejected"]),
        ("ord_1", ["order_rejected", "refund_done"]),
        ("ord_1", ["payment_returned", "order_rejected"]),
    ] {
        let sent = send_both(order_id, templates).await;
        templates.sort_unstable();
        assert_eq!(sent, templates, "{order_id}");
    }
}

#[tokio::test]
async fn one_request_stops_a_channel_without_a_session() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    let consumer = signed_in.session.consumer_id;
    request(&harness, consumer, "order_ready").await;
    servers.run_workers(&harness).await;
    let text = servers.texts()[0]["body"].as_str().unwrap().to_owned();
    let (_, token) = text.split_once("token=").unwrap();

    // Stops what is queued already.
    request(&harness, consumer, "order_ready").await;
    for _ in 0..2 {
        assert_eq!(
            stop_notifications(&harness.cx, token).await.unwrap(),
            Channel::Sms
        );
    }
    servers.run_workers(&harness).await;
    assert_eq!((servers.texts().len(), servers.mails().len()), (1, 2));
    let settings = get_settings(&harness.cx, consumer).await.unwrap();
    assert_eq!((settings.sms, settings.push, settings.email), (false, true, true));

    let forged = stop_token(&harness.cx.secret, consumer, Channel::Email).replace('e', "f");
    assert!(matches!(
        stop_notifications(&harness.cx, &forged).await,
        Err(StopNotificationsError::InvalidToken)
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn channels_that_are_off_get_nothing() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = reachable_consumer(&harness, PHONE).await;
    servers.register(&harness, &signed_in, "phone").await;
    let off = SaveSettings {
        push: Some(false),
        sms: Some(false),
        email: Some(false),
        ..SaveSettings::default()
    };
    save_settings(&harness.cx, signed_in.session.consumer_id, off)
        .await
        .unwrap();
    request(&harness, signed_in.session.consumer_id, "order_ready").await;
    assert_eq!(harness.count("notifications").await, 0);
    harness.database.drop().await;
}
