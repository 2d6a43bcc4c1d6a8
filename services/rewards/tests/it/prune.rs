use proto::rewards::v1::{
    InboxMessage, MarkInboxAsSeenRequest, RemoveFromInboxRequest, rewards_server::Rewards as _,
};
use rewards::ops::{prune_messages::prune_messages, prune_tombstones::prune_tombstones};
use types::ConsumerId;

use crate::harness::{Harness, new_consumer, new_order, order_snapshot, ready, request_from_consumer};

const DAY_SECONDS: i64 = 24 * 60 * 60;

#[tokio::test]
async fn tombstones_of_claims_are_deleted_after_a_month() {
    let harness = Harness::start().await;
    harness.close_claim(new_order()).await;
    harness.advance_clock(30 * DAY_SECONDS);
    assert_eq!(prune_tombstones(&harness.cx).await.unwrap(), 0);
    harness.close_claim(new_order()).await;
    harness.advance_clock(2 * DAY_SECONDS);
    assert_eq!(prune_tombstones(&harness.cx).await.unwrap(), 1);
    assert_eq!(prune_tombstones(&harness.cx).await.unwrap(), 0);
    harness.close().await;
}

async fn messages(harness: &Harness, consumer: ConsumerId) -> Vec<InboxMessage> {
    harness.inbox(consumer, 0, 0).await.messages
}

#[tokio::test]
async fn messages_are_deleted_half_a_year_after_they_were_seen_or_removed_and_unseen_ones_after_a_year() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    for _ in 0..3 {
        let order = order_snapshot(new_order(), consumer);
        harness.receive(ready(order)).await.unwrap();
    }
    let ids: Vec<String> = messages(&harness, consumer)
        .await
        .into_iter()
        .map(|message| message.message_id)
        .collect();
    harness.advance_clock(100 * DAY_SECONDS);
    let seen = MarkInboxAsSeenRequest {
        message_ids: vec![ids[0].clone()],
    };
    let removed = RemoveFromInboxRequest {
        message_ids: vec![ids[1].clone()],
    };
    let grpc = harness.grpc();
    grpc.mark_inbox_as_seen(request_from_consumer(consumer, seen))
        .await
        .unwrap();
    grpc.remove_from_inbox(request_from_consumer(consumer, removed))
        .await
        .unwrap();
    // The last one is deleted together with that of the demo consumer.
    for (days, deleted, kept) in [(179, 0, 2), (2, 2, 1), (83, 0, 1), (2, 2, 0)] {
        harness.advance_clock(days * DAY_SECONDS);
        assert_eq!(prune_messages(&harness.cx).await.unwrap(), deleted, "{days}");
        assert_eq!(messages(&harness, consumer).await.len(), kept, "{days}");
    }
    harness.close().await;
}
