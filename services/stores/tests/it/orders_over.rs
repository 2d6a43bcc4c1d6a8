//! Orders that are over give their minutes back.

use std::sync::Arc;

use kit::consumer::{Delivery, once};
use proto::{
    events::Event,
    ordering::v1::{OrderAbandoned, OrderCancelled, OrderCompleted, OrderSnapshot, OrderRejected},
};
use stores::{
    Consumers,
    ops::reserve::{ReserveError, reserve},
};
use types::{EventId, OrderId};

use crate::{
    harness::{Harness, NOON, at, new_order},
    minutes::{SMALL, asap, used},
};

fn event<E: Event>(message: &E) -> Delivery {
    let (aggregate_id, aggregate_version) = ("ord".to_owned(), 1);
    Delivery {
        id: EventId::new(at(NOON)),
        kind: E::KIND.into(),
        aggregate_id,
        aggregate_version,
        payload: message.encode_to_vec(),
    }
}

#[tokio::test]
async fn an_order_that_is_over_gives_its_minutes_back() {
    let harness = Harness::seeded().await;
    let store = harness.store(SMALL).await;
    let consumers = Consumers::new(Arc::clone(&harness.cx));
    let fact = |order: OrderId| {
        Some(OrderSnapshot {
            order_id: order.to_string(),
            ..Default::default()
        })
    };
    let orders = [new_order(), new_order(), new_order(), new_order()];
    for order in orders {
        reserve(&harness.cx, asap(order, store, 60)).await.unwrap();
    }
    let over = [
        event(&OrderAbandoned {
            order: fact(orders[0]),
        }),
        event(&OrderCancelled {
            order: fact(orders[1]),
        }),
        event(&OrderRejected {
            order: fact(orders[2]),
        }),
        event(&OrderCompleted {
            order: fact(orders[3]),
            items: vec![],
        }),
    ];
    for event in over.iter().chain(&over) {
        once(&harness.database.pool, &consumers, event).await.unwrap();
    }
    assert_eq!(used(&harness).await, 60, "a completed order has used its minutes");
    assert!(matches!(
        reserve(&harness.cx, asap(orders[0], store, 60)).await,
        Err(ReserveError::Closed)
    ));
    let broken = event(&OrderAbandoned { order: None });
    assert!(once(&harness.database.pool, &consumers, &broken).await.is_err());
    harness.close().await;
}
