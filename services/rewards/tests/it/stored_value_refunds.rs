//! Refunds of orders to stored value.

use proto::{
    giftcards::v1::{BalanceEvent, balance_event::Change},
    ordering::v1::OrderSnapshot,
    rewards::v1::ClaimDiscountRequest,
};

use crate::harness::{
    Harness, claim_request, completed, consumer_removed, delivery, hold_refunded, new_consumer, new_order,
    order_snapshot, refund, usd,
};

fn with_refund_id(mut event: BalanceEvent, id: &str) -> BalanceEvent {
    if let Some(Change::HoldRefunded(refunded)) = &mut event.change {
        id.clone_into(&mut refunded.refund_id);
    }
    event
}

#[tokio::test]
async fn a_refund_revokes_points_once_and_notifies_the_consumer() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let order = harness.complete_order(consumer).await;
    let part = with_refund_id(hold_refunded(order, consumer, 200), "milk");
    let first = delivery(&part);
    for _ in 0..2 {
        harness.consume(&first).await.unwrap();
    }
    // The same refund in another event.
    harness.receive(part).await.unwrap();
    assert_eq!(
        harness.points(consumer).await,
        40,
        "10 for each whole dollar of $4.40"
    );
    let inbox = harness.inbox(consumer, 0, 0).await.messages;
    let refunds: Vec<_> = inbox
        .iter()
        .filter(|message| message.kind == "refund_done")
        .map(|message| (&*message.title, &*message.body, message.order_id.clone()))
        .collect();
    let expected = (
        "We refunded $2.00",
        "It's back on your JoePass. We took back 20 points.",
        order.to_string(),
    );
    assert_eq!(refunds, [expected]);

    harness
        .receive(hold_refunded(order, consumer, 552))
        .await
        .unwrap();
    assert_eq!(harness.points(consumer).await, 0);
    harness.close().await;
}

#[tokio::test]
async fn the_parts_of_a_split_refund_add_up_even_with_the_same_id() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let order = harness.complete_order(consumer).await;
    let mut on_card = refund(order, consumer, 300);
    let Some(proto::payments::v1::charge_event::Change::Refunded(done)) = &mut on_card.change else {
        panic!("a refund");
    };
    done.refund_id = "cake".to_owned();
    harness.receive(on_card).await.unwrap();
    assert_eq!(harness.points(consumer).await, 30);
    harness
        .receive(with_refund_id(hold_refunded(order, consumer, 200), "cake"))
        .await
        .unwrap();
    assert_eq!(
        harness.points(consumer).await,
        10,
        "10 for the whole dollar of $1.40"
    );
    harness.close().await;
}

#[tokio::test]
async fn points_that_were_spent_before_the_refund_are_owed() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    let snapshot = OrderSnapshot {
        earning_minor_units: 3_000,
        ..order_snapshot(order, consumer)
    };
    // The refund arrives before the completion.
    harness
        .receive(hold_refunded(order, consumer, 100))
        .await
        .unwrap();
    harness.receive(completed(snapshot)).await.unwrap();
    assert_eq!(harness.points(consumer).await, 290);
    let request = ClaimDiscountRequest {
        drink_price: usd(540),
        ..claim_request(new_order(), consumer, "REWARD250", 640)
    };
    assert_eq!(harness.claim_discount(request).await.unwrap().reason, "");
    harness
        .receive(hold_refunded(order, consumer, 2_900))
        .await
        .unwrap();
    assert_eq!(harness.points(consumer).await, -250);
    harness.close().await;
}

#[tokio::test]
async fn a_refund_of_all_gives_the_points_of_the_reward_back() {
    let harness = Harness::start().await;
    let (consumer, earned_with, order) = (new_consumer(), new_order(), new_order());
    let snapshot = OrderSnapshot {
        earning_minor_units: 3_000,
        ..order_snapshot(earned_with, consumer)
    };
    harness.receive(completed(snapshot)).await.unwrap();
    let request = ClaimDiscountRequest {
        drink_price: usd(540),
        ..claim_request(order, consumer, "REWARD250", 640)
    };
    harness.claim_discount(request).await.unwrap();
    harness
        .receive(completed(order_snapshot(order, consumer)))
        .await
        .unwrap();
    harness
        .receive(hold_refunded(order, consumer, 752))
        .await
        .unwrap();
    assert_eq!(harness.points(consumer).await, 300);
    harness.close().await;
}

#[tokio::test]
async fn a_removed_consumer_gets_no_message() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let order = harness.complete_order(consumer).await;
    harness.receive(consumer_removed(consumer)).await.unwrap();
    harness
        .receive(hold_refunded(order, consumer, 752))
        .await
        .unwrap();
    assert!(harness.inbox(consumer, 0, 0).await.messages.is_empty());
    harness.close().await;
}
