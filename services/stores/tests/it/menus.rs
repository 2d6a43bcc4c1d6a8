//! What a store sells, and what it is out of.

use proto::stores::v1::{self, stores_server::Stores as _};

use crate::harness::{Harness, nowhere, reason, service};

#[tokio::test]
async fn a_menu_is_whole() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Sunset & Maltman").await.to_string();
    let asked = v1::ListCategoriesRequest {
        store_id: store_id.clone(),
    };
    let categories = harness
        .grpc
        .list_categories(service("gateway", asked))
        .await
        .unwrap()
        .into_inner()
        .categories;
    let asked = v1::ListMenuRequest {
        store_id: store_id.clone(),
        category_id: String::new(),
    };
    let menu = harness
        .grpc
        .list_menu(service("gateway", asked))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(menu.sections.len(), categories.len());
    let items: Vec<_> = menu.sections.iter().flat_map(|section| &section.items).collect();
    let drinks = items.iter().filter(|item| item.kind == "drink").count();
    assert!(
        drinks >= 60 && items.len() - drinks >= 25,
        "{drinks} of {}",
        items.len()
    );
    for item in &items {
        assert!(
            item.price_from
                .as_ref()
                .is_some_and(|price| price.minor_units > 0 && price.currency == "usd"),
            "{item:?}"
        );
        assert!(
            item.detail.ends_with(" kcal") && item.art.starts_with('{'),
            "{item:?}"
        );
    }
    let latte = items.iter().find(|item| item.name == "Latte").unwrap();
    assert_eq!(
        (latte.detail.as_str(), latte.allergens.as_slice()),
        ("180 kcal", &["milk".to_owned()][..])
    );

    let asked = v1::ListMenuRequest {
        store_id,
        category_id: categories[1].category_id.clone(),
    };
    let part = harness
        .grpc
        .list_menu(service("gateway", asked))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(part.sections.len(), 1);
    assert_eq!(
        part.sections[0].items.len(),
        usize::try_from(categories[1].item_count).unwrap()
    );
    harness.close().await;
}

#[tokio::test]
async fn what_a_store_is_out_of_is_marked() {
    let harness = Harness::seeded().await;
    let (out, not_out) = (
        harness.store("Sunset & Maltman").await,
        harness.store("Market & Van Ness").await,
    );
    for (store, expected) in [(out, true), (not_out, false)] {
        let latte = harness.item(store, "Latte").await;
        let milk = &latte.modifications[0];
        let coconut = milk
            .choices
            .iter()
            .find(|choice| choice.name == "Coconut")
            .unwrap();
        assert_eq!(coconut.sold_out, expected);
        assert_eq!(harness.item(store, "Cheese Danish").await.sold_out, expected);
    }
    let busy = harness.store("Broadway & 23rd").await;
    let sizes: Vec<bool> = harness
        .item(busy, "Latte")
        .await
        .sizes
        .iter()
        .map(|size| size.sold_out)
        .collect();
    assert_eq!(sizes, [false, false, false, true]);
    harness.close().await;
}

#[tokio::test]
async fn a_choice_says_what_it_costs_and_adds_in_each_size() {
    let harness = Harness::seeded().await;
    let latte = harness
        .item(harness.store("Market & Van Ness").await, "Latte")
        .await;
    assert_eq!(
        latte.sizes.iter().map(|size| size.ounces).collect::<Vec<_>>(),
        [8, 12, 16, 20]
    );
    assert_eq!(latte.sizes.iter().filter(|size| size.is_default).count(), 1);
    let milk = &latte.modifications[0];
    assert_eq!((milk.name.as_str(), milk.min, milk.max), ("Milk", 1, 1));
    let oat = milk.choices.iter().find(|choice| choice.name == "Oat").unwrap();
    let cents: Vec<_> = oat
        .prices
        .iter()
        .map(|price| price.price.as_ref().unwrap().minor_units)
        .collect();
    assert_eq!((cents, oat.art_key.as_str()), (vec![60, 70, 70, 90], "milk:oat"));
    assert_eq!(
        oat.prices.iter().map(|price| price.calories).collect::<Vec<_>>(),
        [-10, -20, -20, -30]
    );
    let whole = &milk.choices[0];
    assert_eq!((whole.default_quantity, oat.default_quantity), (1, 0));
    assert!(
        oat.prices
            .iter()
            .zip(&latte.sizes)
            .all(|(price, size)| price.size_id == size.size_id)
    );
    harness.close().await;
}

#[tokio::test]
async fn a_changed_menu_is_seen_at_once() {
    let harness = Harness::seeded().await;
    let store = harness.store("Market & Van Ness").await;
    assert_eq!(harness.item(store, "Latte").await.name, "Latte");
    sqlx::query("UPDATE items SET name = 'Milky Coffee' WHERE name = 'Latte'")
        .execute(&harness.database.pool)
        .await
        .unwrap();
    assert_eq!(
        harness.item(store, "Latte").await.name,
        "Latte",
        "kept until its version moves on"
    );
    sqlx::query("UPDATE companies SET menu_version = menu_version + 1")
        .execute(&harness.database.pool)
        .await
        .unwrap();
    assert_eq!(harness.item(store, "Milky Coffee").await.name, "Milky Coffee");
    harness.close().await;
}

#[tokio::test]
async fn what_is_not_there_is_refused() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await.to_string();
    let elsewhere = nowhere().to_string();
    let asked = v1::ListMenuRequest {
        store_id: elsewhere.clone(),
        category_id: String::new(),
    };
    assert_eq!(
        reason(harness.grpc.list_menu(service("gateway", asked)).await),
        "STORE_UNKNOWN"
    );
    let asked = v1::ListCategoriesRequest { store_id: elsewhere };
    assert_eq!(
        reason(harness.grpc.list_categories(service("gateway", asked)).await),
        "STORE_UNKNOWN"
    );

    // What another company sells is not on this one's menu.
    let foreign = harness.item(harness.store("Ferry Plaza").await, "Latte").await;
    let asked = v1::GetItemRequest {
        store_id: store_id.clone(),
        item_id: foreign.item_id,
    };
    assert_eq!(
        reason(harness.grpc.get_item(service("gateway", asked)).await),
        "ITEM_UNKNOWN"
    );
    let asked = v1::ListMenuRequest {
        store_id,
        category_id: foreign.category_id,
    };
    assert_eq!(
        reason(harness.grpc.list_menu(service("gateway", asked)).await),
        "CATEGORY_UNKNOWN"
    );
    harness.close().await;
}

#[tokio::test]
async fn seeding_again_changes_nothing() {
    let harness = Harness::seeded().await;
    let everything = "SELECT sum(hashtextextended(t::text, 0))::text FROM (
        SELECT s::text AS t FROM stores s UNION ALL SELECT c::text FROM companies c UNION ALL SELECT i::text FROM items i
        UNION ALL SELECT h::text FROM store_hours h UNION ALL SELECT o::text FROM sold_out o
        UNION ALL SELECT c::text FROM store_credentials c UNION ALL SELECT e.event_id::text FROM outbox e) all_rows (t)";
    let sum = async || -> String {
        sqlx::query_scalar(everything)
            .fetch_one(&harness.database.pool)
            .await
            .unwrap()
    };
    let before = sum().await;
    harness.seed().await;
    assert_eq!(sum().await, before);
    assert_eq!(
        harness.database.outbox_event_types().await,
        vec!["stores.MenuChanged"; 3]
    );
    harness.close().await;
}
