//! The import of companies and menus.

use stores::ops::import_menus::{ImportedCompany, import_menus};

use crate::harness::Harness;

const COMPANY: &str = r#"[{"key": "corner", "name": "Corner Coffee", "description": "", "surchargeCents": {"drink": 0, "food": 0},
  "rename": {}, "omit": []}]"#;

/// A menu with one drink at this price.
fn menu(cents: i64) -> String {
    format!(
        r#"{{"cups": {{"hot": {{"default": "small", "sizes": {{"small": ["Small", 8]}}}}}}, "modifications": [],
        "options": {{"none": []}}, "categories": [{{"key": "coffee", "name": "Coffee", "items": [
        {{"key": "drip", "name": "Drip", "description": "", "kind": "drink", "cups": "hot",
          "sizes": {{"small": [{cents}, 5, 120]}}, "options": "none", "makeSeconds": 30, "art": {{}}}}]}}]}}"#
    )
}

async fn import(harness: &Harness, menu: &str) -> ImportedCompany {
    let mut imported = import_menus(&harness.cx, menu, COMPANY).await.unwrap();
    assert_eq!((imported.len(), &*imported[0].name), (1, "Corner Coffee"));
    imported.remove(0)
}

#[tokio::test]
async fn a_changed_menu_replaces_prices_and_keeps_ids() {
    let harness = Harness::empty().await;
    let first = import(&harness, &menu(300)).await;
    assert_eq!(first.item_count, Some(1));
    let drip: String = item_id(&harness).await;
    assert_eq!(import(&harness, &menu(300)).await.item_count, None, "unchanged");
    let second = import(&harness, &menu(325)).await;
    assert_eq!((second.id, second.item_count), (first.id, Some(1)));
    assert_eq!(item_id(&harness).await, drip);
    assert_eq!(harness.count("SELECT price_cents FROM sizes").await, 325);
    assert_eq!(
        harness
            .count("SELECT count(*) FROM outbox WHERE kind = 'stores.MenuChanged'")
            .await,
        2
    );
    harness.close().await;
}

#[tokio::test]
async fn a_menu_with_a_mistake_changes_nothing() {
    let harness = Harness::empty().await;
    import(&harness, &menu(300)).await;
    for (menu, expected) in [
        (menu(-1), "sizes_price_range"),
        (
            menu(350).replace("\"cups\": \"hot\"", "\"cups\": \"cold\""),
            "unknown cups cold",
        ),
        (
            menu(350).replace("makeSeconds", "makeMinutes"),
            "unknown field `makeMinutes`",
        ),
    ] {
        let error = import_menus(&harness.cx, &menu, COMPANY).await.unwrap_err();
        assert!(format!("{error:#}").contains(expected), "{error:#}");
        assert_eq!(harness.count("SELECT price_cents FROM sizes").await, 300);
    }
    harness.close().await;
}

async fn item_id(harness: &Harness) -> String {
    sqlx::query_scalar("SELECT item_id::text FROM items")
        .fetch_one(&harness.database.pool)
        .await
        .unwrap()
}
