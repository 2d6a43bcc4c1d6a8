//! Notifications about orders that their consumer canceled.

use std::time::Duration;

use accounts::{
    domain::notification::RequestedNotification, ops::request_notification::request_notification,
    workers::prune::prune_tables,
};
use jiff::Timestamp;
use kit::{consumer::Handler as _, lifecycle::Process};
use proto::ordering::v1::{
    EndReason, OrderCancelled, OrderEnd, OrderEvent, OrderSnapshot, order_event::Change,
};
use types::{ConsumerId, OrderId};

use crate::{
    harness::Harness,
    notification_servers::{Servers, only},
    notifications::reachable_consumer,
};

const PHONE: &str = "(415) 555-0123";

/// The event about a canceled order.
fn canceled(order_id: &str, consumer: ConsumerId, reason: EndReason, at: Timestamp) -> OrderEvent {
    let end = OrderEnd {
        reason: reason.into(),
        ..OrderEnd::default()
    };
    OrderEvent {
        order: Some(OrderSnapshot {
            order_id: order_id.to_owned(),
            consumer_id: consumer.to_string(),
            changed_at: at.to_string(),
            ..OrderSnapshot::default()
        }),
        change: Some(Change::Cancelled(OrderCancelled { end: Some(end) })),
    }
}

async fn consume(harness: &Harness, event: &OrderEvent) {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let handler = accounts::consumers::Consumers(harness.cx.clone());
    handler
        .handle(&testing::delivery(event), &mut conn)
        .await
        .unwrap();
}

/// Returns how many text messages about a moved order are sent, if the order is canceled minutes after its move.
async fn sent_texts(reason: EndReason, minutes: u32, is_canceled_first: bool) -> usize {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let consumer = reachable_consumer(&harness, PHONE).await.session.consumer_id;
    let now = harness.cx.clock.now();
    let order_id = OrderId::new(now).to_string();
    let moved = RequestedNotification {
        order_id: order_id.clone(),
        occurred_at: now - Duration::from_mins(5),
        ..only("order_delayed", consumer, now)
    };
    let event = canceled(
        &order_id,
        consumer,
        reason,
        moved.occurred_at + Duration::from_mins(1) * minutes,
    );
    if is_canceled_first {
        consume(&harness, &event).await;
    }
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    request_notification(&harness.cx, &mut conn, &moved)
        .await
        .unwrap();
    drop(conn);
    // A repeated event changes nothing.
    for _ in 0..2 {
        consume(&harness, &event).await;
    }
    servers.run_workers(&harness).await;
    let sent = servers.texts().len();
    harness.database.drop().await;
    sent
}

#[tokio::test]
async fn a_notification_that_waits_is_not_sent_after_the_consumer_canceled_the_order() {
    for is_canceled_first in [false, true] {
        assert_eq!(
            sent_texts(EndReason::CancelledByConsumer, 1, is_canceled_first).await,
            0
        );
    }
}

#[tokio::test]
async fn a_cancellation_withholds_nothing_else() {
    // The notification about this cancellation replaces it.
    assert_eq!(sent_texts(EndReason::NotAcceptedInTime, 1, false).await, 1);
    assert_eq!(sent_texts(EndReason::CancelledByConsumer, 0, false).await, 1);
}

#[tokio::test]
async fn canceled_orders_of_existing_consumers_are_kept_while_notifications_can_wait() {
    let (harness, process) = (Harness::new().await, Process::detached("accounts"));
    let consumer = harness.sign_in(PHONE, "phone").await.session.consumer_id;
    let now = harness.cx.clock.now();
    let unknown = ConsumerId::new(now);
    for canceled_by in [consumer, unknown] {
        let order_id = OrderId::new(now).to_string();
        let event = canceled(&order_id, canceled_by, EndReason::CancelledByConsumer, now);
        consume(&harness, &event).await;
    }
    assert_eq!(harness.count("canceled_orders").await, 1);
    prune_tables(&process, &harness.cx).await.unwrap();
    assert_eq!(harness.count("canceled_orders").await, 1);
    harness.advance(Duration::from_hours(46 * 24));
    prune_tables(&process, &harness.cx).await.unwrap();
    assert_eq!(harness.count("canceled_orders").await, 0);
    harness.database.drop().await;
}
