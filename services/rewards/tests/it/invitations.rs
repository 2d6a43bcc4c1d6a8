//! Invitations: rewarded once, for the friend's first paid order.

use kit::consumer::ConsumeError;
use types::ConsumerId;

use crate::harness::{
    Harness, completed, consumer_removed, delivery, invited_consumer_registered, new_consumer, new_order,
    order_snapshot, refund,
};

/// Points for an order of $6.40.
const ORDER: i64 = 60;
const REWARD: i64 = 250;

#[tokio::test]
async fn the_first_order_of_a_friend_rewards_both_once() -> Result<(), ConsumeError> {
    let harness = Harness::start().await;
    let (referrer, friend) = (new_consumer(), new_consumer());
    let registered = delivery(&invited_consumer_registered(friend, "friend", referrer));
    for _ in 0..2 {
        harness.consume(&registered).await?;
    }
    harness
        .receive(invited_consumer_registered(friend, "friend", referrer))
        .await?;
    assert_eq!(harness.points(referrer).await, 0);
    let order = completed(order_snapshot(new_order(), friend));
    harness.receive(order.clone()).await?;
    harness.receive(order).await?;
    assert_eq!(harness.points(friend).await, ORDER + REWARD);
    assert_eq!(harness.points(referrer).await, REWARD);
    harness.complete_order(friend).await;
    assert_eq!(harness.points(friend).await, 2 * ORDER + REWARD);
    assert_eq!(harness.points(referrer).await, REWARD);
    let message = harness.latest_message(referrer).await.unwrap();
    assert_eq!(
        (message.kind.as_str(), message.title.as_str()),
        ("invitation_rewarded", "You earned 250 points")
    );
    harness.close().await;
    Ok(())
}

#[tokio::test]
async fn an_order_received_before_the_registration_is_rewarded() -> Result<(), ConsumeError> {
    let harness = Harness::start().await;
    let (referrer, friend) = (new_consumer(), new_consumer());
    harness.complete_order(friend).await;
    harness
        .receive(invited_consumer_registered(friend, "friend", referrer))
        .await?;
    assert_eq!(harness.points(friend).await, ORDER + REWARD);
    assert_eq!(harness.points(referrer).await, REWARD);
    harness.close().await;
    Ok(())
}

#[tokio::test]
async fn a_refund_revokes_the_reward_until_the_next_order() -> Result<(), ConsumeError> {
    let harness = Harness::start().await;
    let (referrer, friend) = (new_consumer(), new_consumer());
    harness
        .receive(invited_consumer_registered(friend, "friend", referrer))
        .await?;
    let order = harness.complete_order(friend).await;
    let refunded = delivery(&refund(order, friend, 752));
    for _ in 0..2 {
        harness.consume(&refunded).await?;
    }
    assert_eq!(harness.points(friend).await, 0);
    assert_eq!(harness.points(referrer).await, 0);
    harness.complete_order(friend).await;
    assert_eq!(harness.points(friend).await, ORDER + REWARD);
    assert_eq!(harness.points(referrer).await, REWARD);
    harness.close().await;
    Ok(())
}

#[tokio::test]
async fn a_reward_that_moves_to_another_order_is_announced_once() -> Result<(), ConsumeError> {
    let harness = Harness::start().await;
    let (referrer, friend) = (new_consumer(), new_consumer());
    harness
        .receive(invited_consumer_registered(friend, "friend", referrer))
        .await?;
    let first = harness.complete_order(friend).await;
    let second = harness.complete_order(friend).await;
    for (refunded, points) in [(first, ORDER + REWARD), (second, 0)] {
        let refunded = delivery(&refund(refunded, friend, 752));
        for _ in 0..2 {
            harness.consume(&refunded).await?;
        }
        assert_eq!(harness.points(friend).await, points);
        assert_eq!(harness.points(referrer).await, points.min(REWARD));
        for consumer in [friend, referrer] {
            assert_eq!(count_announcements(&harness, consumer).await, 1);
        }
    }
    // No previous order is paid any more, so this is a new reward.
    harness.complete_order(friend).await;
    for consumer in [friend, referrer] {
        assert_eq!(count_announcements(&harness, consumer).await, 2);
    }
    harness.close().await;
    Ok(())
}

async fn count_announcements(harness: &Harness, consumer: ConsumerId) -> usize {
    let inbox = harness.inbox(consumer, 100, 0).await;
    let announcements = inbox
        .messages
        .iter()
        .filter(|message| message.kind == "invitation_rewarded");
    announcements.count()
}

#[tokio::test]
async fn consumers_do_not_invite_themselves() -> Result<(), ConsumeError> {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    harness
        .receive(invited_consumer_registered(consumer, "own", consumer))
        .await?;
    harness.complete_order(consumer).await;
    assert_eq!(harness.points(consumer).await, ORDER);
    harness.close().await;
    Ok(())
}

#[tokio::test]
async fn a_phone_number_is_invited_once() -> Result<(), ConsumeError> {
    let harness = Harness::start().await;
    let (referrer, friend, again) = (new_consumer(), new_consumer(), new_consumer());
    harness
        .receive(invited_consumer_registered(friend, "friend", referrer))
        .await?;
    harness.complete_order(friend).await;
    harness.receive(consumer_removed(friend)).await?;
    harness
        .receive(invited_consumer_registered(again, "friend", referrer))
        .await?;
    harness.complete_order(again).await;
    assert_eq!(harness.points(referrer).await, REWARD);
    assert_eq!(harness.points(again).await, ORDER);
    harness.close().await;
    Ok(())
}

#[tokio::test]
async fn a_removed_referrer_gets_nothing_and_leaves_no_trace() -> Result<(), ConsumeError> {
    let harness = Harness::start().await;
    let (referrer, friend) = (new_consumer(), new_consumer());
    harness
        .receive(invited_consumer_registered(friend, "friend", referrer))
        .await?;
    harness.receive(consumer_removed(referrer)).await?;
    harness.complete_order(friend).await;
    assert_eq!(harness.points(friend).await, ORDER + REWARD);
    let invitations: i64 = sqlx::query_scalar("SELECT count(*) FROM invitations WHERE referrer_id = $1")
        .bind(referrer.uuid())
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!((invitations, harness.points(referrer).await), (0, 0));
    harness.close().await;
    Ok(())
}
