//! Usual items.

use std::sync::Arc;

use futures::future::join_all;
use kit::consumer::handle_once;
use proto::{
    accounts::v1::{ConsumerEvent, ConsumerRemoved, consumer_event::Change},
    stores::v1::{self as pb, stores_server::Stores as _},
};
use stores::Consumers;
use testing::delivery;
use types::{ConsumerId, StoreId};

use crate::{
    harness::{
        Harness, new_consumer, ok, reason, request_from_consumer, request_from_service, unknown_store,
    },
    resolve_lines::choice,
};

/// An iced latte in large with oat milk and no syrup.
async fn oat_latte(harness: &Harness, store_id: StoreId) -> pb::AddUsualItemRequest {
    let latte = harness.item(store_id, "Iced Latte").await;
    pb::AddUsualItemRequest {
        store_id: store_id.to_string(),
        item_id: latte.item_id.clone(),
        size_id: latte.sizes[1].size_id.clone(),
        choices: vec![
            choice(&latte, "Milk", "Oat", 1),
            choice(&latte, "Syrup", "Vanilla", 2),
        ],
        note: "Extra hot cup".into(),
        name: String::new(),
    }
}

impl Harness {
    async fn add_usual_item(
        &self,
        consumer_id: ConsumerId,
        request: pb::AddUsualItemRequest,
    ) -> pb::UsualItem {
        ok(self
            .grpc
            .add_usual_item(request_from_consumer(consumer_id, request))
            .await)
    }

    async fn add_reason(&self, consumer_id: ConsumerId, request: pb::AddUsualItemRequest) -> String {
        reason(
            self.grpc
                .add_usual_item(request_from_consumer(consumer_id, request))
                .await,
        )
    }

    async fn usual_items(&self, consumer_id: ConsumerId, store_id: &str) -> Vec<pb::UsualItem> {
        let request = pb::ListUsualItemsRequest {
            store_id: store_id.into(),
        };
        ok(self
            .grpc
            .list_usual_items(request_from_consumer(consumer_id, request))
            .await)
        .items
    }

    async fn delete_reason(&self, consumer_id: ConsumerId, id: &str) -> Option<String> {
        let request = pb::DeleteUsualItemRequest {
            usual_item_id: id.into(),
        };
        let response = self
            .grpc
            .delete_usual_item(request_from_consumer(consumer_id, request))
            .await;
        response.is_err().then(|| reason(response))
    }
}

#[tokio::test]
async fn a_usual_item_is_listed_with_its_customization_and_price() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let consumer_id = new_consumer();
    let request = oat_latte(&harness, store_id).await;
    let added = harness.add_usual_item(consumer_id, request.clone()).await;
    assert_eq!(
        (added.name.as_str(), added.note.as_str()),
        ("Iced Latte", "Extra hot cup")
    );
    let line = added.line.as_ref().unwrap();
    // Large 5.30, oat 0.70, two pumps 0.60.
    assert_eq!(line.unit_price.as_ref().unwrap().minor_units, 660);
    assert_eq!((line.size_name.as_str(), line.quantity), ("Large", 1));
    assert!(added.problem.is_none());
    assert_eq!(added.choices.len(), request.choices.len());
    assert!(
        request
            .choices
            .iter()
            .all(|choice| added.choices.contains(choice))
    );
    for filter in [String::new(), store_id.to_string()] {
        assert_eq!(
            harness.usual_items(consumer_id, &filter).await,
            std::slice::from_ref(&added)
        );
    }
    // Another consumer has none.
    assert_eq!(harness.usual_items(new_consumer(), "").await, []);
    harness.close().await;
}

#[tokio::test]
async fn saving_the_same_customization_again_returns_the_saved_item() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let other_store_id = harness.store("Sunset & Maltman").await;
    let consumer_id = new_consumer();
    let mut request = oat_latte(&harness, store_id).await;
    request.name = " Monday ".into();
    let first = harness.add_usual_item(consumer_id, request.clone()).await;
    assert_eq!(first.name, "Monday");
    // The same choices in another order, at another store of the company, and without a name.
    request.choices.reverse();
    request.name = String::new();
    request.store_id = other_store_id.to_string();
    let again = harness.add_usual_item(consumer_id, request.clone()).await;
    assert_eq!(
        (
            &again.usual_item_id,
            again.name.as_str(),
            again.store_name.as_str()
        ),
        (&first.usual_item_id, "Monday", "Sunset & Maltman")
    );
    request.choices[0].quantity += 1;
    let other = harness.add_usual_item(consumer_id, request).await;
    assert_ne!(other.usual_item_id, first.usual_item_id);
    assert_eq!(harness.usual_items(consumer_id, "").await.len(), 2);
    harness.close().await;
}

#[tokio::test]
async fn a_store_lists_only_items_of_its_company_as_it_has_them() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let consumer_id = new_consumer();
    let danish = harness.item(store_id, "Cheese Danish").await;
    let request = pb::AddUsualItemRequest {
        store_id: store_id.to_string(),
        item_id: danish.item_id.clone(),
        size_id: danish.sizes[0].size_id.clone(),
        ..Default::default()
    };
    harness.add_usual_item(consumer_id, request).await;
    let sold_out_store = harness.store("Sunset & Maltman").await.to_string();
    let item = harness.usual_items(consumer_id, &sold_out_store).await.remove(0);
    assert_eq!(
        (item.store_id.as_str(), item.store_name.as_str()),
        (sold_out_store.as_str(), "Sunset & Maltman")
    );
    assert_eq!(item.problem.unwrap().reason, "ITEM_SOLD_OUT");
    assert!(item.line.is_some(), "a sold-out item keeps its price");
    let other_company = harness.store("Ferry Plaza").await.to_string();
    assert_eq!(harness.usual_items(consumer_id, &other_company).await, []);

    // The size is taken off the menu: the item stays in the list without a price.
    sqlx::query("DELETE FROM sizes WHERE size_id = $1")
        .bind(danish.sizes[0].size_id.parse::<types::SizeId>().unwrap())
        .execute(&harness.database.pool)
        .await
        .unwrap();
    sqlx::query("UPDATE companies SET menu_version = menu_version + 1")
        .execute(&harness.database.pool)
        .await
        .unwrap();
    let gone = harness.usual_items(consumer_id, "").await.remove(0);
    assert_eq!((gone.name.as_str(), gone.line), ("Cheese Danish", None));
    assert!(gone.problem.is_some());
    harness.close().await;
}

#[tokio::test]
async fn invalid_customizations_are_rejected_with_a_reason() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let consumer_id = new_consumer();
    let valid = oat_latte(&harness, store_id).await;
    let other_item = harness.item(harness.store("Ferry Plaza").await, "Latte").await;
    let with = |change: &dyn Fn(&mut pb::AddUsualItemRequest)| {
        let mut request = valid.clone();
        change(&mut request);
        request
    };
    let cases = [
        (
            with(&|r| r.store_id = unknown_store().to_string()),
            "STORE_UNKNOWN",
        ),
        (with(&|r| r.store_id = "x".into()), "ID_MALFORMED"),
        (with(&|r| r.item_id = other_item.item_id.clone()), "ITEM_UNKNOWN"),
        (with(&|r| r.item_id = String::new()), "ID_MALFORMED"),
        (
            with(&|r| r.size_id = other_item.sizes[0].size_id.clone()),
            "SIZE_UNKNOWN",
        ),
        (with(&|r| r.choices[0].choice_id = "x".into()), "ID_MALFORMED"),
        (with(&|r| r.choices[1].quantity = 100), "CHOICE_LIMIT"),
        (with(&|r| r.note = "x".repeat(201)), "NOTE_TOO_LONG"),
        (with(&|r| r.name = "x".repeat(61)), "NAME_INVALID"),
        (with(&|r| r.name = "a\u{7}b".into()), "NAME_INVALID"),
    ];
    for (request, expected) in cases {
        assert_eq!(harness.add_reason(consumer_id, request).await, expected);
    }
    assert_eq!(harness.usual_items(consumer_id, "").await, []);
    let from_service = request_from_service("gateway", valid);
    assert_eq!(
        reason(harness.grpc.add_usual_item(from_service).await),
        "FORBIDDEN"
    );
    let unknown = pb::ListUsualItemsRequest {
        store_id: unknown_store().to_string(),
    };
    let request = request_from_consumer(consumer_id, unknown);
    assert_eq!(
        reason(harness.grpc.list_usual_items(request).await),
        "STORE_UNKNOWN"
    );
    harness.close().await;
}

#[tokio::test]
async fn concurrent_requests_do_not_exceed_the_limit() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let consumer_id = new_consumer();
    let request = oat_latte(&harness, store_id).await;
    let requests = (0..24).map(|number| {
        let note = format!("Number {number}");
        let request = pb::AddUsualItemRequest {
            note,
            ..request.clone()
        };
        harness
            .grpc
            .add_usual_item(request_from_consumer(consumer_id, request))
    });
    let responses = join_all(requests).await;
    let saved = responses.iter().filter(|response| response.is_ok()).count();
    assert_eq!(saved, 20);
    for response in responses.into_iter().filter(Result::is_err) {
        assert_eq!(reason(response), "USUAL_ITEM_LIMIT");
    }
    // An item that is saved already is returned although the limit is reached.
    let items = harness.usual_items(consumer_id, "").await;
    let note = items[0].note.clone();
    let again = harness
        .add_usual_item(
            consumer_id,
            pb::AddUsualItemRequest {
                note,
                ..request.clone()
            },
        )
        .await;
    assert_eq!(again.usual_item_id, items[0].usual_item_id);
    assert_eq!(
        harness.delete_reason(consumer_id, &items[0].usual_item_id).await,
        None
    );
    harness.add_usual_item(consumer_id, request).await;
    harness.close().await;
}

#[tokio::test]
async fn a_consumer_deletes_only_own_usual_items() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let (consumer_id, other_id) = (new_consumer(), new_consumer());
    let request = oat_latte(&harness, store_id).await;
    let id = harness.add_usual_item(consumer_id, request).await.usual_item_id;
    let unknown = Some("USUAL_ITEM_UNKNOWN".to_owned());
    assert_eq!(harness.delete_reason(other_id, &id).await, unknown);
    assert_eq!(
        harness.delete_reason(consumer_id, "usu_x").await,
        Some("ID_MALFORMED".to_owned())
    );
    assert_eq!(harness.delete_reason(consumer_id, &id).await, None);
    assert_eq!(harness.delete_reason(consumer_id, &id).await, unknown);
    assert_eq!(harness.usual_items(consumer_id, "").await, []);
    harness.close().await;
}

#[tokio::test]
async fn usual_items_of_a_removed_consumer_are_deleted_and_new_ones_rejected() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let consumers = Consumers::new(Arc::clone(&harness.cx));
    let (removed, other) = (new_consumer(), new_consumer());
    let request = oat_latte(&harness, store_id).await;
    for consumer_id in [removed, other] {
        harness.add_usual_item(consumer_id, request.clone()).await;
    }
    let event = delivery(&ConsumerEvent {
        consumer_id: removed.to_string(),
        change: Some(Change::Removed(ConsumerRemoved::default())),
        ..Default::default()
    });
    handle_once(&harness.database.pool, &consumers, &event)
        .await
        .unwrap();
    assert_eq!(harness.usual_items(removed, "").await, []);
    assert_eq!(harness.usual_items(other, "").await.len(), 1);
    assert_eq!(harness.add_reason(removed, request).await, "STORE_UNKNOWN");
    harness.close().await;
}
