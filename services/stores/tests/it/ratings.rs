//! How consumers rate the orders of a store.

use jiff::{SignedDuration, Timestamp};
use kit::consumer::Delivery;
use proto::{
    ordering::v1::{OrderEvent, OrderRated, OrderSnapshot, order_event::Change},
    stores::v1::{GetStoreRequest, StoreRating, stores_server::Stores as _},
};
use testing::delivery;
use types::StoreId;

use crate::{
    capacity::SMALL_STORE,
    harness::{Harness, NOW, at, new_order, ok, request_from_service, unknown_store},
};

fn rated(store_id: StoreId, rating: i32, rated_at: Timestamp) -> Delivery {
    delivery(&OrderEvent {
        order: Some(OrderSnapshot {
            order_id: new_order().to_string(),
            store_id: store_id.to_string(),
            changed_at: rated_at.to_string(),
            ..Default::default()
        }),
        change: Some(Change::Rated(OrderRated {
            rating,
            ..Default::default()
        })),
    })
}

impl Harness {
    async fn rating(&self, store_id: StoreId) -> Option<StoreRating> {
        let request = GetStoreRequest {
            store_id: store_id.to_string(),
            position: None,
        };
        let request = request_from_service("gateway", request);
        ok(self.grpc.get_store(request).await).rating
    }
}

#[tokio::test]
async fn the_average_is_published_from_5_ratings_and_counts_each_order_once() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    for stars in [5, 5, 4, 4] {
        let rating = rated(store_id, stars, at(NOW));
        assert!(harness.receive_order(&rating).await);
        assert!(
            harness.receive_order(&rating).await,
            "a second delivery is acknowledged"
        );
    }
    assert_eq!(harness.rating(store_id).await, None, "of 4 ratings");
    assert!(harness.receive_order(&rated(store_id, 4, at(NOW))).await);
    let expected = StoreRating {
        ratings: 5,
        average_tenths: 44,
    };
    assert_eq!(harness.rating(store_id).await, Some(expected));
    harness.close().await;
}

#[tokio::test]
async fn only_valid_ratings_of_the_last_30_days_and_of_the_store_count() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(SMALL_STORE).await;
    for stars in [0, 6, -1] {
        assert!(!harness.receive_order(&rated(store_id, stars, at(NOW))).await);
    }
    assert!(harness.receive_order(&rated(unknown_store(), 5, at(NOW))).await);
    for _ in 0..5 {
        assert!(harness.receive_order(&rated(store_id, 3, at(NOW))).await);
    }
    assert_eq!(harness.count("SELECT sum(ratings)::bigint FROM ratings").await, 5);
    harness.clock.advance(SignedDuration::from_hours(24 * 29));
    assert!(harness.rating(store_id).await.is_some());
    harness.clock.advance(SignedDuration::from_hours(24));
    assert_eq!(harness.rating(store_id).await, None);
    harness.close().await;
}
