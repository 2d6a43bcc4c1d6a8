//! The inbox.

use kit::{ErrorCode, ServiceError};
use prost::Message as _;
use proto::{
    accounts::v1::{ConsumerEvent, ConsumerRegistered, consumer_event},
    ordering::v1::{EndReason, OrderSnapshot},
    rewards::v1::{
        MarkInboxAsSeenRequest, NotificationEvent, RemoveFromInboxRequest, notification_event,
        rewards_server::Rewards as _,
    },
};
use types::{ConsumerId, MessageId, limits::MAX_INBOX_MESSAGES};

use crate::harness::{
    Harness, at, cancelled, completed, delayed, delivery, new_consumer, new_order, order_end, order_snapshot,
    payment_failed, ready, rejected, request_from_consumer,
};

/// Creates a consumer with messages, one minute apart.
async fn consumer_with_messages(harness: &Harness, count: i64) -> ConsumerId {
    let consumer = new_consumer();
    for _ in 0..count {
        harness.advance_clock(60);
        let order = OrderSnapshot {
            changed_at: harness.cx.clock.now().to_string(),
            ..order_snapshot(new_order(), consumer)
        };
        harness.receive(ready(order)).await.unwrap();
    }
    consumer
}

async fn mark(harness: &Harness, consumer: ConsumerId, message_ids: Vec<String>) -> u32 {
    let request = request_from_consumer(consumer, MarkInboxAsSeenRequest { message_ids });
    harness
        .grpc()
        .mark_inbox_as_seen(request)
        .await
        .unwrap()
        .into_inner()
        .unseen
}

async fn remove(harness: &Harness, consumer: ConsumerId, message_ids: Vec<String>) -> u32 {
    let request = request_from_consumer(consumer, RemoveFromInboxRequest { message_ids });
    harness
        .grpc()
        .remove_from_inbox(request)
        .await
        .unwrap()
        .into_inner()
        .unseen
}

#[tokio::test]
async fn an_unpaid_prepared_order_notifies_the_consumer_once() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let event = payment_failed(order_snapshot(new_order(), consumer));
    for _ in 0..2 {
        harness.receive(event.clone()).await.unwrap();
    }
    let inbox = harness.inbox(consumer, 0, 0).await;
    let [message] = inbox.messages.as_slice() else {
        panic!("{:?}", inbox.messages);
    };
    assert_eq!(
        (message.kind.as_str(), message.title.as_str()),
        ("payment_failed", "Your payment didn't go through")
    );
    assert!(
        message
            .body
            .ends_with(" for your order at Sunset & Maltman. Please pay at the store."),
        "{}",
        message.body
    );
    harness.close().await;
}

#[tokio::test]
async fn each_delay_of_an_order_notifies_the_consumer_once() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    let delayed_to = |ready_at: &str, version| {
        delayed(OrderSnapshot {
            ready_at: ready_at.to_owned(),
            time_zone: "America/Los_Angeles".to_owned(),
            version,
            ..order_snapshot(order, consumer)
        })
    };
    let first = delivery(&delayed_to("2026-11-20T16:50:00Z", 3));
    harness.consume(&first).await.unwrap();
    harness.consume(&first).await.unwrap();
    harness
        .receive(delayed_to("2026-11-20T16:50:00Z", 3))
        .await
        .unwrap();
    let inbox = harness.inbox(consumer, 0, 0).await;
    let [message] = inbox.messages.as_slice() else {
        panic!("{:?}", inbox.messages);
    };
    assert_eq!(
        (
            message.kind.as_str(),
            message.title.as_str(),
            message.body.as_str()
        ),
        (
            "order_delayed",
            "Your order will be ready on Friday at 8:50 AM",
            "Sunset & Maltman: The grinder is down."
        )
    );
    assert_eq!(message.order_id, order.to_string());
    harness
        .receive(delayed_to("2026-11-20T21:05:00Z", 4))
        .await
        .unwrap();
    let titles: Vec<String> = harness
        .inbox(consumer, 0, 0)
        .await
        .messages
        .into_iter()
        .map(|message| message.title)
        .collect();
    assert!(
        titles.contains(&"Your order will be ready on Friday at 1:05 PM".to_owned()),
        "{titles:?}"
    );
    assert_eq!(titles.len(), 2);
    for (ready_at, time_zone) in [("soon", "America/Los_Angeles"), ("2026-11-20T16:50:00Z", "Mars")] {
        let invalid = delayed(OrderSnapshot {
            ready_at: ready_at.to_owned(),
            time_zone: time_zone.to_owned(),
            ..order_snapshot(order, consumer)
        });
        assert!(harness.receive(invalid).await.is_err(), "{ready_at} {time_zone}");
    }
    harness.close().await;
}

#[tokio::test]
async fn notifications_of_moved_and_ended_orders_contain_the_promised_time() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let order = || OrderSnapshot {
        ready_at: "2026-11-21T16:50:00Z".to_owned(),
        time_zone: "America/Los_Angeles".to_owned(),
        ..order_snapshot(new_order(), consumer)
    };
    for event in [
        delayed(order()),
        rejected(order(), order_end(EndReason::RejectedByStore)),
        cancelled(order(), order_end(EndReason::NotAcceptedInTime)),
        ready(order()),
    ] {
        harness.receive(event).await.unwrap();
    }
    let payloads: Vec<Vec<u8>> = sqlx::query_scalar(
        "SELECT payload FROM outbox WHERE kind = 'rewards.NotificationRequested' ORDER BY position",
    )
    .fetch_all(&harness.cx.pool)
    .await
    .unwrap();
    let requested = payloads.iter().map(|payload| {
        let event = NotificationEvent::decode(&payload[..]).unwrap();
        let Some(notification_event::Change::Requested(requested)) = event.change else {
            panic!("expected a request");
        };
        (requested.template, requested.useful_until)
    });
    let promised = "2026-11-21T16:50:00Z";
    let expected = [
        ("order_delayed", promised),
        ("order_rejected", promised),
        ("order_cancelled", promised),
        ("order_ready", ""),
    ];
    assert_eq!(
        requested.collect::<Vec<_>>(),
        expected.map(|(template, until)| (template.to_owned(), until.to_owned()))
    );
    harness.close().await;
}

#[tokio::test]
async fn what_concerns_the_consumer_now_also_goes_out_once() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let order = || order_snapshot(new_order(), consumer);
    // Points and the welcome message are only in the inbox.
    harness.receive(completed(order())).await.unwrap();
    assert_eq!(harness.count_published("rewards.NotificationRequested").await, 0);
    let event = ready(order());
    for _ in 0..2 {
        harness.receive(event.clone()).await.unwrap();
    }
    assert_eq!(harness.count_published("rewards.NotificationRequested").await, 1);
    // An event that was delayed for more than a day is only added to the inbox.
    harness.advance_clock(25 * 3_600);
    harness.receive(ready(order())).await.unwrap();
    assert_eq!(harness.inbox(consumer, 0, 0).await.total, 3);
    assert_eq!(harness.count_published("rewards.NotificationRequested").await, 1);
    harness.close().await;
}

#[tokio::test]
async fn a_page_has_five_messages_newest_first_by_default() {
    let harness = Harness::start().await;
    let consumer = consumer_with_messages(&harness, 7).await;
    let first = harness.inbox(consumer, 0, 0).await;
    assert_eq!((first.messages.len(), first.unseen, first.total), (5, 7, 7));
    assert!(first.messages.is_sorted_by(|newer, older| newer.at > older.at));
    let second = harness.inbox(consumer, 0, 5).await;
    assert_eq!(second.messages.len(), 2);
    assert!(second.messages[0].at < first.messages[4].at);
    assert_eq!(
        harness.count_published("rewards.InboxMessageAdded").await,
        8,
        "including the message of the demo consumer"
    );
    harness.close().await;
}

#[tokio::test]
async fn seen_and_removed_messages_change_the_counts() {
    let harness = Harness::start().await;
    let consumer = consumer_with_messages(&harness, 4).await;
    let ids: Vec<_> = harness
        .inbox(consumer, 0, 0)
        .await
        .messages
        .into_iter()
        .map(|message| message.message_id)
        .collect();
    assert_eq!(mark(&harness, consumer, vec![ids[0].clone()]).await, 3);
    assert_eq!(mark(&harness, consumer, vec![ids[0].clone()]).await, 3);
    assert_eq!(remove(&harness, consumer, vec![ids[1].clone()]).await, 2);
    assert_eq!(
        remove(&harness, consumer, Vec::new()).await,
        2,
        "no ids remove no message"
    );
    assert_eq!(mark(&harness, consumer, Vec::new()).await, 0, "no ids mark all");
    let inbox = harness.inbox(consumer, 0, 0).await;
    assert_eq!(
        (
            inbox.total,
            inbox.messages.iter().filter(|message| message.seen).count()
        ),
        (3, 3)
    );
    harness.close().await;
}

#[tokio::test]
async fn a_consumer_cannot_change_messages_of_another() {
    let harness = Harness::start().await;
    let (owner, other) = (
        consumer_with_messages(&harness, 1).await,
        consumer_with_messages(&harness, 1).await,
    );
    let foreign = vec![harness.latest_message(owner).await.unwrap().message_id];
    mark(&harness, other, foreign.clone()).await;
    remove(&harness, other, foreign).await;
    mark(&harness, other, Vec::new()).await;
    let inbox = harness.inbox(owner, 0, 0).await;
    assert_eq!((inbox.total, inbox.unseen), (1, 1));
    harness.close().await;
}

#[tokio::test]
async fn a_removed_message_is_not_added_again() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    let event = ready(order_snapshot(order, consumer));
    harness.receive(event.clone()).await.unwrap();
    remove(
        &harness,
        consumer,
        vec![harness.latest_message(consumer).await.unwrap().message_id],
    )
    .await;
    harness.receive(event).await.unwrap();
    assert_eq!(harness.inbox(consumer, 0, 0).await.total, 0);
    harness.close().await;
}

#[tokio::test]
async fn invalid_ids_are_rejected() {
    let harness = Harness::start().await;
    let many = vec![MessageId::new(at()).to_string(); MAX_INBOX_MESSAGES + 1];
    for (message_ids, reason) in [
        (vec!["x".to_owned()], "ID_MALFORMED"),
        (many, "TOO_MANY_MESSAGES"),
    ] {
        let request = request_from_consumer(new_consumer(), RemoveFromInboxRequest { message_ids });
        let status = harness.grpc().remove_from_inbox(request).await.unwrap_err();
        let error = ServiceError::from_status(&status);
        assert!(
            matches!(error.code, ErrorCode::InvalidRequest | ErrorCode::RuleViolation)
                && error.reason == reason,
            "{error}"
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn a_new_consumer_is_welcomed_once() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    for _ in 0..2 {
        let change = consumer_event::Change::Registered(ConsumerRegistered {
            registered_at: at().to_string(),
            referrer_id: String::new(),
        });
        let event = ConsumerEvent {
            consumer_id: consumer.to_string(),
            phone_hash: String::new(),
            change: Some(change),
        };
        harness.receive(event).await.unwrap();
    }
    let inbox = harness.inbox(consumer, 0, 0).await;
    assert_eq!((inbox.total, inbox.messages[0].kind.as_str()), (1, "welcome"));
    harness.close().await;
}
