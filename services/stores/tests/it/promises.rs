//! How often orders of a store were ready on time.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use kit::consumer::{Delivery, handle_once};
use proto::{
    ordering::v1::{OrderEvent, OrderReady, OrderSnapshot, order_event::Change},
    stores::v1::{GetStoreRequest, PromiseRecord, stores_server::Stores as _},
};
use stores::Consumers;
use testing::delivery;
use types::StoreId;

use crate::{
    capacity::SMALL_STORE,
    harness::{Harness, NOW, at, new_order, ok, request_from_service, unknown_store},
};

/// Returns the event of an order that was ready at `made_at`.
fn ready(store_id: StoreId, first_ready_at: Timestamp, made_at: Timestamp) -> Delivery {
    delivery(&OrderEvent {
        order: Some(OrderSnapshot {
            order_id: new_order().to_string(),
            store_id: store_id.to_string(),
            first_ready_at: first_ready_at.to_string(),
            // The store delayed the order until it was ready.
            ready_at: made_at.to_string(),
            changed_at: made_at.to_string(),
            ..Default::default()
        }),
        change: Some(Change::Ready(OrderReady {})),
    })
}

impl Harness {
    pub async fn receive_order(&self, delivery: &Delivery) -> bool {
        let consumers = Consumers::new(Arc::clone(&self.cx));
        handle_once(&self.database.pool, &consumers, delivery)
            .await
            .is_ok()
    }

    async fn promise_record(&self, store_id: StoreId) -> Option<PromiseRecord> {
        let request = GetStoreRequest {
            store_id: store_id.to_string(),
            position: None,
        };
        let request = request_from_service("gateway", request);
        ok(self.grpc.get_store(request).await).promise_record
    }
}

#[tokio::test]
async fn the_kept_rate_is_published_from_20_orders_and_counts_each_order_once() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let promised = at(NOW);
    let late = promised + SignedDuration::from_mins(1);
    for number in 0..19 {
        let made_at = if number == 0 { late } else { promised };
        let order = ready(store_id, promised, made_at);
        assert!(harness.receive_order(&order).await);
        assert!(
            harness.receive_order(&order).await,
            "a second delivery is acknowledged"
        );
    }
    assert_eq!(harness.promise_record(store_id).await, None, "of 19 orders");
    assert!(harness.receive_order(&ready(store_id, promised, promised)).await);
    assert_eq!(
        harness.promise_record(store_id).await,
        Some(PromiseRecord {
            orders: 20,
            kept: 19,
            kept_percent: 95
        }),
        "a delayed order counts as late"
    );
    harness.close().await;
}

#[tokio::test]
async fn only_the_last_30_days_and_the_orders_of_the_store_count() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let day = SignedDuration::from_hours(24);
    for number in 0..20_i32 {
        let made_at = at(NOW) - day * number;
        assert!(harness.receive_order(&ready(store_id, made_at, made_at)).await);
    }
    let orders = async |harness: &Harness| harness.promise_record(store_id).await.map(|record| record.orders);
    assert_eq!(orders(&harness).await, Some(20));
    harness.clock.advance(day * 10);
    assert_eq!(orders(&harness).await, Some(20), "the oldest is 29 days old");
    harness.clock.advance(day);
    assert_eq!(orders(&harness).await, None, "19 are left");
    assert!(
        harness
            .receive_order(&ready(unknown_store(), at(NOW), at(NOW)))
            .await
    );
    assert_eq!(
        harness.count("SELECT sum(orders)::bigint FROM promises").await,
        20
    );
    harness.close().await;
}

#[tokio::test]
async fn an_order_without_a_first_promise_is_measured_by_its_promised_time() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    let event = |ready_at: &str, changed_at: &str| {
        delivery(&OrderEvent {
            order: Some(OrderSnapshot {
                order_id: new_order().to_string(),
                store_id: store_id.to_string(),
                ready_at: ready_at.to_owned(),
                changed_at: changed_at.to_owned(),
                ..Default::default()
            }),
            change: Some(Change::Ready(OrderReady {})),
        })
    };
    assert!(harness.receive_order(&event(NOW, NOW)).await);
    assert!(harness.receive_order(&event(NOW, "2026-11-20T18:00:00Z")).await);
    for (ready_at, changed_at) in [("soon", NOW), (NOW, "")] {
        assert!(!harness.receive_order(&event(ready_at, changed_at)).await);
    }
    assert_eq!(harness.count("SELECT orders FROM promises").await, 2);
    assert_eq!(harness.count("SELECT kept FROM promises").await, 1);
    harness.close().await;
}
