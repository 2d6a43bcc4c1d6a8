//! Orders that end release their capacity.

use std::sync::Arc;

use kit::messaging::consumer::handle_once;
use proto::ordering::v1::{
    OrderAbandoned, OrderCancelled, OrderCompleted, OrderEvent, OrderRejected, OrderSnapshot,
    order_event::Change,
};
use stores::{
    Consumers,
    ops::reserve::{ReserveError, reserve},
};
use testing::delivery;

use crate::{
    harness::{Harness, new_order},
    minutes::{SMALL, asap, used},
};

#[tokio::test]
async fn an_order_that_ends_without_completion_releases_its_capacity() {
    let harness = Harness::seeded().await;
    let store = harness.store(SMALL).await;
    let consumers = Consumers::new(Arc::clone(&harness.cx));
    let orders = [new_order(), new_order(), new_order(), new_order()];
    for order in orders {
        reserve(&harness.cx, asap(order, store, 60)).await.unwrap();
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
        .map(|(order, change)| {
            delivery(&OrderEvent {
                order: Some(OrderSnapshot {
                    order_id: order.to_string(),
                    ..Default::default()
                }),
                change: Some(change),
            })
        })
        .collect();
    for delivery in deliveries.iter().chain(&deliveries) {
        handle_once(&harness.database.pool, &consumers, delivery).await.unwrap();
    }
    assert_eq!(used(&harness).await, 60, "a completed order keeps its capacity");
    assert!(matches!(
        reserve(&harness.cx, asap(orders[0], store, 60)).await,
        Err(ReserveError::Closed)
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
