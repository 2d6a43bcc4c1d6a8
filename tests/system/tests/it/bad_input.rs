//! Invalid input returns an error with a reason and writes nothing.

use reqwest::Method;
use serde_json::{Value, json};
use types::{BalanceId, ItemId, PaymentMethodId, SizeId, StoreId};

use crate::harness::{Checkout, Consumer, Store, Tender, item, now, shared_stack};

/// Counts a consumer's orders, the keys that are not rejections, a store's reservations, and the consumer's balance.
async fn stored_state(consumer: &Consumer, store: &Store) -> Vec<i64> {
    let mut ordering = consumer.stack.database("ordering").await;
    let mut stores = consumer.stack.database("stores").await;
    let count = async |sql: &'static str, scope: String| -> i64 {
        sqlx::query_scalar(sql)
            .bind(scope)
            .fetch_one(&mut ordering)
            .await
            .unwrap()
    };
    let mut count = count;
    vec![
        count(
            "SELECT count(*) FROM orders WHERE consumer_id = $1::uuid",
            consumer.id.uuid().to_string(),
        )
        .await,
        count(
            // A rejection is stored; the first byte of a response is its format.
            "SELECT count(*) FROM idempotency WHERE scope = $1 AND (response IS NULL OR get_byte(response, 0) <> 3)",
            consumer.id.to_string(),
        )
        .await,
        sqlx::query_scalar("SELECT count(*) FROM reservations WHERE store_id = $1")
            .bind(store.id.uuid())
            .fetch_one(&mut stores)
            .await
            .unwrap(),
        consumer.joepass().await.0,
    ]
}

struct InvalidInputTest {
    checkout: Checkout,
    store: Store,
    before: Vec<i64>,
}

impl InvalidInputTest {
    async fn new() -> Self {
        let stack = shared_stack().await;
        let (ada, store) = (stack.consumer().await, stack.store());
        let joepass = ada.with_joepass(50_000).await;
        let checkout = ada.draft_order("Latte", &store, &joepass).priced().await;
        let before = stored_state(&ada, &store).await;
        Self {
            checkout,
            store,
            before,
        }
    }

    /// Applies each change to a valid request and checks status and reason of the error.
    async fn assert_rejected(&self, changes: Vec<(&str, Value, u16, &str)>) {
        for (path, value, status, reason) in changes {
            let reply = self
                .checkout
                .with_new_key()
                .with(path, value.clone())
                .place()
                .await;
            let shown = value.to_string();
            let shown: String = shown.chars().take(80).collect();
            assert_eq!(
                (reply.status.as_u16(), reply.error_reason(reply.status.as_u16())),
                (status, reason),
                "{path}: {shown}"
            );
        }
        self.assert_nothing_written().await;
    }

    async fn assert_nothing_written(&self) {
        assert_eq!(
            stored_state(&self.checkout.consumer, &self.store).await,
            self.before
        );
        assert!(self.store.queue().await.is_empty());
    }
}

#[tokio::test]
async fn invalid_bodies_are_rejected() {
    let test = InvalidInputTest::new().await;
    let ada = &test.checkout.consumer;
    let path = "/api/consumer/order/create";
    let cut = test.checkout.body.to_string();
    for (body, reason) in [
        ("{", "MALFORMED_JSON"),
        (&cut[..cut.len() / 2], "MALFORMED_JSON"),
        ("", "MALFORMED_JSON"),
        ("\u{0}\u{1}", "MALFORMED_JSON"),
        ("{}", "MALFORMED_BODY"),
        ("[]", "MALFORMED_BODY"),
        ("null", "MALFORMED_BODY"),
    ] {
        let reply = ada.send(Method::POST, path, Some(body.to_owned())).await;
        assert_eq!(reply.error_reason(400), reason, "{body:?}");
    }
    let huge = format!("{{\"cart\": \"{}\"}}", "x".repeat(400_000));
    let reply = ada.send(Method::POST, path, Some(huge)).await;
    assert!([400, 413].contains(&reply.status.as_u16()), "{reply:?}");
    test.assert_nothing_written().await;
}

#[tokio::test]
async fn invalid_quantities_are_rejected() {
    let test = InvalidInputTest::new().await;
    let path = "cart/items/0/quantity";
    test.assert_rejected(vec![
        (path, json!(0), 422, "QUANTITY_INVALID"),
        (path, json!(21), 422, "QUANTITY_INVALID"),
        (path, json!(u32::MAX), 422, "QUANTITY_INVALID"),
        (path, json!(-1), 400, "MALFORMED_BODY"),
        (path, json!(i64::MAX), 400, "MALFORMED_BODY"),
        (path, json!(1.5), 400, "MALFORMED_BODY"),
        (path, json!("1"), 400, "MALFORMED_BODY"),
        (path, json!(null), 400, "MALFORMED_BODY"),
    ])
    .await;
}

#[tokio::test]
async fn unknown_ids_are_rejected() {
    let test = InvalidInputTest::new().await;
    let at = now();
    test.assert_rejected(vec![
        (
            "cart/storeId",
            json!(StoreId::new(at).to_string()),
            404,
            "STORE_UNKNOWN",
        ),
        (
            "cart/storeId",
            json!("str_'; drop table orders"),
            400,
            "MALFORMED",
        ),
        (
            "cart/items/0/itemId",
            json!(ItemId::new(at).to_string()),
            422,
            "ITEM_UNKNOWN",
        ),
        ("cart/items/0/itemId", json!("latte"), 422, "ITEM_UNKNOWN"),
        (
            "cart/items/0/sizeId",
            json!(SizeId::new(at).to_string()),
            422,
            "SIZE_UNKNOWN",
        ),
        ("cart/promo/code", json!("NOSUCHCODE"), 422, "PROMO_UNKNOWN"),
        ("cart/promo/code", json!("EXPIRED1"), 422, "PROMO_EXPIRED"),
        (
            "paymentMethod",
            json!({ "type": "card", "paymentMethodId": PaymentMethodId::new(at).to_string() }),
            422,
            "PAYMENT_METHOD_UNKNOWN",
        ),
        (
            "paymentMethod",
            json!({ "type": "card", "paymentMethodId": "" }),
            422,
            "PAYMENT_METHOD_REQUIRED",
        ),
        (
            "paymentMethod",
            json!({ "type": "card", "paymentMethodId": "4242424242424242" }),
            422,
            "PAYMENT_METHOD_UNKNOWN",
        ),
        (
            "paymentMethod",
            json!({ "type": "joebucks", "paymentMethodId": BalanceId::new(at).to_string() }),
            422,
            "PAYMENT_METHOD_UNKNOWN",
        ),
        (
            "paymentMethod",
            json!({ "type": "cash", "paymentMethodId": "" }),
            400,
            "MALFORMED_BODY",
        ),
    ])
    .await;
}

#[tokio::test]
async fn payment_methods_of_another_consumer_are_rejected() {
    let test = InvalidInputTest::new().await;
    let bob = test.checkout.consumer.stack.consumer().await;
    let (Tender(card), Tender(joepass)) = (
        bob.with_card("4242424242424242").await,
        bob.with_joepass(5_000).await,
    );
    test.assert_rejected(vec![
        ("paymentMethod", card, 422, "PAYMENT_METHOD_UNKNOWN"),
        ("paymentMethod", joepass, 422, "PAYMENT_METHOD_UNKNOWN"),
    ])
    .await;
    assert_eq!(bob.joepass().await, (5_000, 0));
}

#[tokio::test]
async fn options_of_another_item_are_rejected() {
    let test = InvalidInputTest::new().await;
    let ada = &test.checkout.consumer;
    let latte = item(ada, &test.store, "Latte").await;
    let bagel = item(ada, &test.store, "Everything Bagel").await;
    let group = |of: &Value, name: &str| {
        let groups = of["modifications"].as_array().unwrap();
        groups
            .iter()
            .find(|group| group["name"] == name)
            .unwrap_or_else(|| panic!("no {name}: {groups:#?}"))
            .clone()
    };
    let (milk, shots) = (group(&latte, "Milk"), group(&latte, "Espresso"));
    let foreign = bagel["modifications"][0].clone();
    let choice = |group: &Value, choice: &Value, quantity: i64| json!([{ "modificationId": group["modificationId"], "choiceId": choice["choiceId"], "quantity": quantity }]);
    let path = "cart/items/0/choices";
    test.assert_rejected(vec![
        (
            path,
            choice(&foreign, &foreign["choices"][0], 1),
            422,
            "CHOICE_UNKNOWN",
        ),
        (
            path,
            choice(&milk, &shots["choices"][0], 1),
            422,
            "CHOICE_UNKNOWN",
        ),
        (
            path,
            choice(&milk, &milk["choices"][0], 1_000),
            422,
            "CHOICE_LIMIT",
        ),
        (path, choice(&milk, &milk["choices"][0], 0), 422, "CHOICE_LIMIT"),
        (
            path,
            choice(&milk, &milk["choices"][0], -1),
            400,
            "MALFORMED_BODY",
        ),
        (
            "cart/items/0/sizeId",
            bagel["sizes"][0]["sizeId"].clone(),
            422,
            "SIZE_UNKNOWN",
        ),
    ])
    .await;
}

#[tokio::test]
async fn invalid_amounts_and_times_are_rejected() {
    let test = InvalidInputTest::new().await;
    let total = |cents: i64| json!({ "currencyAmount": cents, "currencyFraction": 100, "currency": "usd" });
    test.assert_rejected(vec![
        ("cart/tipAmount", json!(-1), 422, "TIP_OUT_OF_RANGE"),
        ("cart/tipAmount", json!(i64::MAX), 422, "TIP_OUT_OF_RANGE"),
        ("cart/tipAmount", json!(0.5), 400, "MALFORMED_BODY"),
        ("expectedTotal", total(0), 409, "PRICE_CHANGED"),
        ("expectedTotal", total(-1), 409, "PRICE_CHANGED"),
        ("expectedReadyAt", json!("soon"), 400, "MALFORMED"),
        ("cart/schedule", json!("tomorrow"), 400, "MALFORMED"),
        (
            "cart/schedule",
            json!("2020-01-01T10:00:00Z"),
            422,
            "PICKUP_TIME_INVALID",
        ),
        (
            "cart/schedule",
            json!("9999-12-30T10:00:00Z"),
            422,
            "PICKUP_TIME_INVALID",
        ),
        ("idempotencyKey", json!(""), 400, "IDEMPOTENCY_KEY_INVALID"),
        (
            "idempotencyKey",
            json!("k".repeat(129)),
            400,
            "IDEMPOTENCY_KEY_INVALID",
        ),
    ])
    .await;
}

#[tokio::test]
async fn invalid_carts_are_rejected() {
    let test = InvalidInputTest::new().await;
    let line = test.checkout.body["cart"]["items"][0].clone();
    let many: Vec<Value> = (0..51)
        .map(|number| {
            let mut line = line.clone();
            line["lineId"] = json!(number.to_string());
            line
        })
        .collect();
    test.assert_rejected(vec![
        ("cart/items", json!([]), 422, "CART_EMPTY"),
        ("cart/items", json!([line, line]), 422, "LINE_REPEATED"),
        ("cart/items", json!(many), 422, "ORDER_TOO_LARGE"),
        ("cart/items/0/note", json!("n".repeat(201)), 422, "NOTE_TOO_LONG"),
        ("cart/pickup", json!("drone"), 400, "MALFORMED_BODY"),
    ])
    .await;
}

#[tokio::test]
async fn closed_and_paused_stores_reject_orders() {
    let rejected = |reason| vec![("cart/tipAmount", json!(0), 409, reason)];
    let closed = InvalidInputTest::new().await;
    closed.store.close_for_now().await;
    closed.assert_rejected(rejected("STORE_CLOSED")).await;
    let gone = InvalidInputTest::new().await;
    gone.store.delete_hours().await;
    gone.assert_rejected(rejected("STORE_CLOSED")).await;
    let paused = InvalidInputTest::new().await;
    paused.store.pause().await;
    paused.assert_rejected(rejected("STORE_PAUSED")).await;
}
