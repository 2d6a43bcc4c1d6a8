//! The inbox as its reader uses it.

use kit::{ErrorCode, ServiceError};
use proto::{
    accounts::v1::ConsumerRegistered,
    ordering::v1::{OrderSnapshot, OrderReady},
    rewards::v1::{MarkInboxAsSeenRequest, RemoveFromInboxRequest, rewards_server::Rewards as _},
};
use types::{ConsumerId, MessageId};

use crate::harness::{Harness, at, request_from_consumer, consumer, fact, order};

async fn with_messages(harness: &Harness, count: i64) -> ConsumerId {
    let consumer = consumer();
    for _ in 0..count {
        harness.later(60);
        let fact = OrderSnapshot {
            at: harness.cx.clock.now().to_string(),
            ..fact(order(), consumer)
        };
        harness.hears(OrderReady { order: Some(fact) }).await.unwrap();
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
async fn pages_hold_five_newest_first() {
    let harness = Harness::start().await;
    let consumer = with_messages(&harness, 7).await;
    let first = harness.inbox(consumer, 0, 0).await;
    assert_eq!((first.messages.len(), first.unseen, first.total), (5, 7, 7));
    assert!(first.messages.is_sorted_by(|newer, older| newer.at > older.at));
    let second = harness.inbox(consumer, 0, 5).await;
    assert_eq!(second.messages.len(), 2);
    assert!(second.messages[0].at < first.messages[4].at);
    assert_eq!(
        harness.published("rewards.InboxMessageAdded").await,
        8,
        "with the demo consumer's"
    );
    harness.close().await;
}

#[tokio::test]
async fn seen_and_removed_are_counted() {
    let harness = Harness::start().await;
    let consumer = with_messages(&harness, 4).await;
    let ids: Vec<_> = harness
        .inbox(consumer, 0, 0)
        .await
        .messages
        .into_iter()
        .map(|one| one.message_id)
        .collect();
    assert_eq!(mark(&harness, consumer, vec![ids[0].clone()]).await, 3);
    assert_eq!(mark(&harness, consumer, vec![ids[0].clone()]).await, 3);
    assert_eq!(remove(&harness, consumer, vec![ids[1].clone()]).await, 2);
    assert_eq!(
        remove(&harness, consumer, Vec::new()).await,
        2,
        "nothing named, nothing removed"
    );
    assert_eq!(mark(&harness, consumer, Vec::new()).await, 0, "all");
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
async fn nobody_touches_anothers_messages() {
    let harness = Harness::start().await;
    let (owner, stranger) = (with_messages(&harness, 1).await, with_messages(&harness, 1).await);
    let foreign = vec![harness.told(owner).await.unwrap().message_id];
    mark(&harness, stranger, foreign.clone()).await;
    remove(&harness, stranger, foreign).await;
    mark(&harness, stranger, Vec::new()).await;
    let inbox = harness.inbox(owner, 0, 0).await;
    assert_eq!((inbox.total, inbox.unseen), (1, 1));
    harness.close().await;
}

#[tokio::test]
async fn what_was_removed_is_not_told_again() {
    let harness = Harness::start().await;
    let (consumer, order) = (consumer(), order());
    let ready = || OrderReady {
        order: Some(fact(order, consumer)),
    };
    harness.hears(ready()).await.unwrap();
    remove(
        &harness,
        consumer,
        vec![harness.told(consumer).await.unwrap().message_id],
    )
    .await;
    harness.hears(ready()).await.unwrap();
    assert_eq!(harness.inbox(consumer, 0, 0).await.total, 0);
    harness.close().await;
}

#[tokio::test]
async fn malformed_ids_are_refused() {
    let harness = Harness::start().await;
    let many = vec![MessageId::new(at()).to_string(); 101];
    for (message_ids, reason) in [
        (vec!["x".to_owned()], "ID_MALFORMED"),
        (many, "TOO_MANY_MESSAGES"),
    ] {
        let request = request_from_consumer(consumer(), RemoveFromInboxRequest { message_ids });
        let status = harness.grpc().remove_from_inbox(request).await.unwrap_err();
        let refusal = ServiceError::from_status(&status);
        assert!(
            matches!(refusal.code, ErrorCode::InvalidRequest | ErrorCode::RuleViolation)
                && refusal.reason == reason,
            "{refusal}"
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn a_new_consumer_is_welcomed_once() {
    let harness = Harness::start().await;
    let consumer = consumer();
    for _ in 0..2 {
        let registered = ConsumerRegistered {
            consumer_id: consumer.to_string(),
            registered_at: at().to_string(),
            phone_hash: String::new(),
        };
        harness.hears(registered).await.unwrap();
    }
    let inbox = harness.inbox(consumer, 0, 0).await;
    assert_eq!((inbox.total, inbox.messages[0].kind.as_str()), (1, "welcome"));
    harness.close().await;
}
