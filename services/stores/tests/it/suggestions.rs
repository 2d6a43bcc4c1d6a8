//! The most ordered items, and suggestions for a cart.

use std::sync::Arc;

use jiff::SignedDuration;
use kit::consumer::{Delivery, handle_once};
use proto::{
    ordering::v1::{ItemCount, OrderCompleted, OrderEvent, OrderSnapshot, order_event::Change},
    stores::v1::{self as pb, stores_server::Stores as _},
};
use stores::Consumers;
use testing::delivery;
use types::StoreId;

use crate::harness::{
    Harness, NOW, at, new_order, ok, reason, request_from_service, request_from_store, unknown_store,
};

const STORE: &str = "Market & Van Ness";

impl Harness {
    async fn item_id(&self, store_id: StoreId, name: &str) -> String {
        self.item(store_id, name).await.item_id
    }

    async fn complete(&self, delivery: &Delivery) {
        let consumers = Consumers::new(Arc::clone(&self.cx));
        handle_once(&self.database.pool, &consumers, delivery)
            .await
            .unwrap();
    }

    async fn top_ordered(&self, store_id: StoreId) -> Vec<String> {
        let request = pb::ListTopOrderedRequest {
            store_id: store_id.to_string(),
        };
        let request = request_from_service("gateway", request);
        names(ok(self.grpc.list_top_ordered(request).await).items)
    }

    async fn upsell(&self, store_id: StoreId, cart: &[&str]) -> Vec<pb::MenuItem> {
        let mut item_ids = Vec::new();
        for name in cart {
            item_ids.push(self.item_id(store_id, name).await);
        }
        let request = upsell_request(store_id, item_ids);
        ok(self
            .grpc
            .list_upsell_items(request_from_service("gateway", request))
            .await)
        .items
    }
}

fn upsell_request(store_id: StoreId, item_ids: Vec<String>) -> pb::ListUpsellItemsRequest {
    pb::ListUpsellItemsRequest {
        store_id: store_id.to_string(),
        item_ids,
    }
}

fn names(items: Vec<pb::MenuItem>) -> Vec<String> {
    items.into_iter().map(|item| item.name).collect()
}

/// Returns the event of an order that was completed `days` ago.
fn completed(store_id: StoreId, days: i64, items: &[(&String, u32)]) -> Delivery {
    let items = items.iter().map(|(item_id, quantity)| ItemCount {
        item_id: (*item_id).clone(),
        quantity: *quantity,
    });
    delivery(&OrderEvent {
        order: Some(OrderSnapshot {
            order_id: new_order().to_string(),
            store_id: store_id.to_string(),
            changed_at: (at(NOW) - SignedDuration::from_hours(24 * days)).to_string(),
            ..Default::default()
        }),
        change: Some(Change::Completed(OrderCompleted {
            items: items.collect(),
        })),
    })
}

#[tokio::test]
async fn completed_orders_of_the_last_30_days_make_the_top_ordered_items() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    assert_eq!(harness.top_ordered(store_id).await, Vec::<String>::new());
    let latte = harness.item_id(store_id, "Latte").await;
    let mocha = harness.item_id(store_id, "Mocha").await;
    let bagel = harness.item_id(store_id, "Butter Croissant").await;
    let order = completed(store_id, 0, &[(&mocha, 3), (&latte, 1), (&mocha, 1)]);
    // A repeated event counts once.
    for event in [&order, &order] {
        harness.complete(event).await;
    }
    harness.complete(&completed(store_id, 29, &[(&latte, 2)])).await;
    harness.complete(&completed(store_id, 30, &[(&bagel, 9)])).await;
    assert_eq!(harness.top_ordered(store_id).await, ["Mocha", "Latte"]);
    let counts = "SELECT sum(quantity)::bigint FROM item_sales";
    assert_eq!(harness.count(counts).await, 16);

    // Other stores have their own counts, and sold-out items are omitted.
    let other_store = harness.store("Sunset & Maltman").await;
    assert_eq!(harness.top_ordered(other_store).await, Vec::<String>::new());
    harness.set_sold_out(store_id, &mocha).await;
    assert_eq!(harness.top_ordered(store_id).await, ["Latte"]);
    harness.close().await;
}

impl Harness {
    async fn set_sold_out(&self, store_id: StoreId, item_id: &str) {
        let request = pb::SetAvailabilityRequest {
            store_id: store_id.to_string(),
            subject: Some(pb::set_availability_request::Subject::ItemId(item_id.into())),
            sold_out: true,
        };
        let request = request_from_store(Some(vec![store_id]), request);
        ok(self.grpc.set_availability(request).await);
    }
}

#[tokio::test]
async fn items_ordered_together_are_suggested_first_and_never_what_the_cart_has() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    // Without orders, items of a kind that is not in the cart come first.
    let suggested = harness.upsell(store_id, &["Latte"]).await;
    assert_eq!(suggested.len(), 4);
    assert!(suggested.iter().all(|item| item.kind == "food" && !item.sold_out));
    let suggested = harness.upsell(store_id, &["Butter Croissant"]).await;
    assert!(suggested.iter().all(|item| item.kind == "drink"));

    let latte = harness.item_id(store_id, "Latte").await;
    let mocha = harness.item_id(store_id, "Mocha").await;
    let croissant = harness.item_id(store_id, "Butter Croissant").await;
    let danish = harness.item_id(store_id, "Cheese Danish").await;
    for items in [
        &[(&latte, 1), (&danish, 1)][..],
        &[(&latte, 1), (&danish, 1), (&mocha, 1)],
        &[(&croissant, 50)],
    ] {
        harness.complete(&completed(store_id, 1, items)).await;
    }
    let suggested = names(harness.upsell(store_id, &["Latte"]).await);
    assert_eq!(suggested[..3], ["Cheese Danish", "Mocha", "Butter Croissant"]);
    let suggested = names(harness.upsell(store_id, &["Latte", "Cheese Danish"]).await);
    assert_eq!(suggested[0], "Mocha");
    assert!(!suggested.contains(&"Cheese Danish".to_owned()) && !suggested.contains(&"Latte".to_owned()));
    harness.set_sold_out(store_id, &danish).await;
    assert_eq!(names(harness.upsell(store_id, &["Latte"]).await)[0], "Mocha");
    harness.close().await;
}

#[tokio::test]
async fn unknown_stores_and_long_carts_are_rejected() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    let request = pb::ListTopOrderedRequest {
        store_id: unknown_store().to_string(),
    };
    let request = request_from_service("gateway", request);
    assert_eq!(
        reason(harness.grpc.list_top_ordered(request).await),
        "STORE_UNKNOWN"
    );
    let upsell_reason = async |request| {
        let request = request_from_service("gateway", request);
        reason(harness.grpc.list_upsell_items(request).await)
    };
    let request = upsell_request(unknown_store(), vec![]);
    assert_eq!(upsell_reason(request).await, "STORE_UNKNOWN");
    let latte = harness.item_id(store_id, "Latte").await;
    let request = upsell_request(store_id, vec![latte; 51]);
    assert_eq!(upsell_reason(request).await, "TOO_MANY_LINES");
    let request = upsell_request(store_id, vec!["x".into()]);
    assert_eq!(upsell_reason(request).await, "ID_MALFORMED");
    // Items of other companies are ignored.
    let other = harness.item_id(harness.store("Ferry Plaza").await, "Latte").await;
    let request = upsell_request(store_id, vec![other]);
    let request = request_from_service("gateway", request);
    assert_eq!(ok(harness.grpc.list_upsell_items(request).await).items.len(), 4);
    harness.close().await;
}

#[tokio::test]
async fn an_order_of_an_unknown_store_counts_nothing() {
    let harness = Harness::seeded().await;
    let latte = harness.item_id(harness.store(STORE).await, "Latte").await;
    let mocha = harness.item_id(harness.store(STORE).await, "Mocha").await;
    harness
        .complete(&completed(unknown_store(), 0, &[(&latte, 1), (&mocha, 1)]))
        .await;
    assert_eq!(harness.count("SELECT count(*) FROM item_sales").await, 0);
    assert_eq!(harness.count("SELECT count(*) FROM item_pair_sales").await, 0);
    harness.close().await;
}
