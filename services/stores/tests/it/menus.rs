//! Menus, sold-out items and the seed.

use proto::stores::v1::{self as pb, set_availability_request::Subject, stores_server::Stores as _};

use crate::harness::{Harness, ok, reason, request_from_service, request_from_store, unknown_store};

impl Harness {
    async fn list_menu(&self, store_id: &str, category_id: &str) -> pb::ListMenuResponse {
        let request = pb::ListMenuRequest {
            store_id: store_id.into(),
            category_id: category_id.into(),
        };
        ok(self
            .grpc
            .list_menu(request_from_service("gateway", request))
            .await)
    }
}

#[tokio::test]
async fn a_menu_contains_all_categories_and_items() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Sunset & Maltman").await.to_string();
    let request = pb::ListCategoriesRequest {
        store_id: store_id.clone(),
    };
    let categories = ok(harness
        .grpc
        .list_categories(request_from_service("gateway", request))
        .await)
    .categories;
    let menu = harness.list_menu(&store_id, "").await;
    assert_eq!(menu.sections.len(), categories.len());
    let items: Vec<_> = menu.sections.iter().flat_map(|section| &section.items).collect();
    let drinks = items.iter().filter(|item| item.kind == "drink").count();
    assert!(
        drinks >= 60 && items.len() - drinks >= 25,
        "{drinks} of {}",
        items.len()
    );
    for item in &items {
        let price = item.price_from.as_ref().unwrap();
        assert!(price.minor_units > 0 && price.currency == "usd", "{item:?}");
        assert!(
            item.detail.ends_with(" Cal") && item.art.starts_with('{'),
            "{item:?}"
        );
    }
    let latte = items.iter().find(|item| item.name == "Latte").unwrap();
    assert_eq!(
        (latte.detail.as_str(), latte.allergens.as_slice()),
        ("180 Cal", &["milk".to_owned()][..])
    );

    let one_category = harness.list_menu(&store_id, &categories[1].category_id).await;
    assert_eq!(one_category.sections.len(), 1);
    assert_eq!(
        one_category.sections[0].items.len(),
        usize::try_from(categories[1].item_count).unwrap()
    );
    harness.close().await;
}

#[tokio::test]
async fn sold_out_items_sizes_and_choices_are_marked() {
    let harness = Harness::seeded().await;
    for (store, is_sold_out) in [("Sunset & Maltman", true), ("Market & Van Ness", false)] {
        let store_id = harness.store(store).await;
        let latte = harness.item(store_id, "Latte").await;
        let milk = &latte.modifications[0];
        let coconut = milk
            .choices
            .iter()
            .find(|choice| choice.name == "Coconut")
            .unwrap();
        assert_eq!(coconut.sold_out, is_sold_out);
        let danish = harness.item(store_id, "Cheese Danish").await;
        assert_eq!(danish.sold_out, is_sold_out);
    }
    let store_id = harness.store("Broadway & 23rd").await;
    let latte = harness.item(store_id, "Latte").await;
    let sold_out_sizes: Vec<bool> = latte.sizes.iter().map(|size| size.sold_out).collect();
    assert_eq!(sold_out_sizes, [false, false, false, true]);
    harness.close().await;
}

#[tokio::test]
async fn the_price_on_the_menu_is_that_of_the_cheapest_available_size_with_its_defaults() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let latte = harness.item(store_id, "Latte").await;
    let prices: Vec<i64> = latte
        .sizes
        .iter()
        .map(|size| size.price.as_ref().unwrap().minor_units)
        .collect();
    let menu_price = async || {
        let menu = harness.list_menu(&store_id.to_string(), "").await;
        let items = menu.sections.into_iter().flat_map(|section| section.items);
        let found = items
            .into_iter()
            .find(|item| item.item_id == latte.item_id)
            .unwrap();
        found.price_from.unwrap().minor_units
    };
    let set_sold_out = async |subject: Subject, sold_out: bool| {
        let request = pb::SetAvailabilityRequest {
            store_id: store_id.to_string(),
            sold_out,
            subject: Some(subject),
        };
        ok(harness
            .grpc
            .set_availability(request_from_store(None, request))
            .await)
    };
    assert_eq!(menu_price().await, prices[0]);

    let whole = latte.modifications[0].choices[0].choice_id.clone();
    sqlx::query(
        "INSERT INTO choice_prices (choice_id, cup_size, price_cents, calories)
         SELECT $1, unnest(ARRAY['small', 'medium', 'large', 'extra']), 35, 0
         ON CONFLICT ON CONSTRAINT choice_prices_pkey DO UPDATE SET price_cents = 35",
    )
    .bind(whole.parse::<types::ChoiceId>().unwrap())
    .execute(&harness.database.pool)
    .await
    .unwrap();
    sqlx::query("UPDATE companies SET menu_version = menu_version + 1")
        .execute(&harness.database.pool)
        .await
        .unwrap();
    assert_eq!(menu_price().await, prices[0] + 35, "the default milk has a price");
    set_sold_out(Subject::ChoiceId(whole), true).await;
    assert_eq!(menu_price().await, prices[0], "a sold-out default is left out");

    for (index, size) in latte.sizes.iter().enumerate() {
        set_sold_out(Subject::SizeId(size.size_id.clone()), true).await;
        let cheapest = prices.get(index + 1).unwrap_or(&prices[0]);
        assert_eq!(menu_price().await, *cheapest, "after size {index}");
    }
    harness.close().await;
}

#[tokio::test]
async fn a_choice_has_a_price_and_calories_for_each_size() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    let latte = harness.item(store_id, "Latte").await;
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
async fn a_menu_is_cached_until_its_version_changes() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await;
    assert_eq!(harness.item(store_id, "Latte").await.name, "Latte");
    sqlx::query("UPDATE items SET name = 'Milky Coffee' WHERE name = 'Latte'")
        .execute(&harness.database.pool)
        .await
        .unwrap();
    assert_eq!(harness.item(store_id, "Latte").await.name, "Latte");
    sqlx::query("UPDATE companies SET menu_version = menu_version + 1")
        .execute(&harness.database.pool)
        .await
        .unwrap();
    assert_eq!(harness.item(store_id, "Milky Coffee").await.name, "Milky Coffee");
    harness.close().await;
}

#[tokio::test]
async fn an_item_with_an_unknown_kind_is_an_internal_error() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await.to_string();
    for statement in [
        "ALTER TABLE items DROP CONSTRAINT items_kind_known",
        "UPDATE items SET kind = 'merchandise' WHERE name = 'Latte'",
    ] {
        sqlx::query(statement)
            .execute(&harness.database.pool)
            .await
            .unwrap();
    }
    let request = pb::ListCategoriesRequest { store_id };
    let request = request_from_service("gateway", request);
    assert_eq!(reason(harness.grpc.list_categories(request).await), "INTERNAL");
    harness.close().await;
}

#[tokio::test]
async fn unknown_ids_are_not_found_and_malformed_ids_are_rejected() {
    let harness = Harness::seeded().await;
    let store_id = harness.store("Market & Van Ness").await.to_string();
    let unknown_store_id = unknown_store().to_string();
    let menu_reason = async |store_id: &str, category_id: &str| {
        let request = pb::ListMenuRequest {
            store_id: store_id.into(),
            category_id: category_id.into(),
        };
        reason(
            harness
                .grpc
                .list_menu(request_from_service("gateway", request))
                .await,
        )
    };
    assert_eq!(menu_reason(&unknown_store_id, "").await, "STORE_UNKNOWN");
    assert_eq!(menu_reason("str_1", "").await, "ID_MALFORMED");
    assert_eq!(menu_reason(&store_id, &unknown_store_id).await, "ID_MALFORMED");
    let request = pb::ListCategoriesRequest {
        store_id: unknown_store_id,
    };
    assert_eq!(
        reason(
            harness
                .grpc
                .list_categories(request_from_service("gateway", request))
                .await
        ),
        "STORE_UNKNOWN"
    );

    // Items and categories of another company are not on this menu.
    let other_item = harness.item(harness.store("Ferry Plaza").await, "Latte").await;
    let request = pb::GetItemRequest {
        store_id: store_id.clone(),
        item_id: other_item.item_id,
    };
    assert_eq!(
        reason(
            harness
                .grpc
                .get_item(request_from_service("gateway", request))
                .await
        ),
        "ITEM_UNKNOWN"
    );
    assert_eq!(
        menu_reason(&store_id, &other_item.category_id).await,
        "CATEGORY_UNKNOWN"
    );
    harness.close().await;
}

#[tokio::test]
async fn seeding_again_changes_nothing() {
    let harness = Harness::seeded().await;
    let checksum_query = "SELECT sum(hashtextextended(t::text, 0))::text FROM (
        SELECT s::text AS t FROM stores s UNION ALL SELECT c::text FROM companies c UNION ALL SELECT i::text FROM items i
        UNION ALL SELECT h::text FROM store_hours h UNION ALL SELECT o::text FROM sold_out o
        UNION ALL SELECT c::text FROM store_credentials c UNION ALL SELECT e.event_id::text FROM outbox e) all_rows (t)";
    let checksum = async || -> String {
        sqlx::query_scalar(checksum_query)
            .fetch_one(&harness.database.pool)
            .await
            .unwrap()
    };
    let before = checksum().await;
    harness.seed().await;
    assert_eq!(checksum().await, before);
    assert_eq!(
        harness.database.outbox_event_types().await,
        vec!["stores.MenuChanged"; 3]
    );
    harness.close().await;
}
