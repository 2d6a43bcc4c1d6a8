//! Orders that end release their capacity.

use std::sync::Arc;

use kit::consumer::handle_once;
use proto::ordering::v1::{
    OrderAbandoned, OrderCancelled, OrderCompleted, OrderEvent, OrderRejected, OrderSnapshot,
    order_event::Change,
};
use stores::{
    Consumers,
    ops::reserve_capacity::{ReserveCapacityError, reserve_capacity},
};
use testing::delivery;

use crate::{
    capacity::{SMALL_STORE, asap, used_seconds},
    harness::{Harness, new_order},
};

#[tokio::test]
async fn an_order_that_ends_without_completion_releases_its_capacity() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let consumers = Consumers::new(Arc::clone(&harness.cx));
    let orders = [new_order(), new_order(), new_order(), new_order()];
    for order_id in orders {
        reserve_capacity(&harness.cx, asap(order_id, store_id, 60))
            .await
            .unwrap();
    }
    let changes = [
        Change::Abandoned(OrderAbandoned::default()),
        Change::Cancelled(OrderCancelled::default()),
        Change::Rejected(OrderRejected::default()),
        Change::Completed(OrderCompleted::default()),
    ];
    let deliveries: Vec<_> = orders
        .into_iter()
        .zip(changes)
        .map(|(order_id, change)| {
            delivery(&OrderEvent {
                order: Some(OrderSnapshot {
                    order_id: order_id.to_string(),
                    store_id: store_id.to_string(),
                    ..Default::default()
                }),
                change: Some(change),
            })
        })
        .collect();
    for delivery in deliveries.iter().chain(&deliveries) {
        handle_once(&harness.database.pool, &consumers, delivery)
            .await
            .unwrap();
    }
    assert_eq!(
        used_seconds(&harness).await,
        60,
        "a completed order keeps its capacity"
    );
    assert!(matches!(
        reserve_capacity(&harness.cx, asap(orders[0], store_id, 60)).await,
        Err(ReserveCapacityError::ReservationClosed)
    ));
    let without_order = delivery(&OrderEvent {
        order: None,
        change: Some(Change::Abandoned(OrderAbandoned::default())),
    });
    assert!(
        handle_once(&harness.database.pool, &consumers, &without_order)
            .await
            .is_err()
    );
    harness.close().await;
}

#[tokio::test]
async fn an_unknown_change_is_acknowledged() {
    let harness = Harness::seeded().await;
    let consumers = Consumers::new(Arc::clone(&harness.cx));
    let mut of_newer_version = delivery(&OrderEvent {
        order: Some(OrderSnapshot {
            order_id: new_order().to_string(),
            ..Default::default()
        }),
        change: None,
    });
    of_newer_version.event_type = "ordering.OrderTeleported".into();
    handle_once(&harness.database.pool, &consumers, &of_newer_version)
        .await
        .unwrap();
    harness.close().await;
}
