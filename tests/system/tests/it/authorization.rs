//! Resources of other consumers and stores cannot be read or changed.

use reqwest::Method;
use serde_json::json;

use crate::harness::{ONE_STORE_CREDENTIAL, shared_stack};

#[tokio::test]
async fn an_order_is_visible_to_its_consumer_only() {
    let stack = shared_stack().await;
    let (ada, eve, store) = (stack.consumer().await, stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let order = ada.place_order("Latte", &store, &joepass).await;
    let body = json!({ "orderId": order });
    for reply in [
        eve.order(&order).await,
        eve.cancel(&order).await,
        eve.post("order/user-arrived", body).await,
        eve.get(&format!("order/repeat?orderId={order}")).await,
    ] {
        assert_eq!(reply.error_reason(404), "ORDER_UNKNOWN");
    }
    assert!(
        eve.get("user/orders").await.data()["orders"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    assert_eq!(ada.order(&order).await.order_status(), "Placed");
    let named = eve.get(&format!("user/orders?userId={}", ada.id)).await;
    assert_eq!(named.error_reason(403), "FORBIDDEN");
}

#[tokio::test]
async fn malformed_and_unknown_ids_are_rejected() {
    let stack = shared_stack().await;
    let ada = stack.consumer().await;
    let unknown = types::OrderId::new(crate::harness::now()).to_string();
    assert_eq!(ada.order(&unknown).await.error_reason(404), "ORDER_UNKNOWN");
    for malformed in ["ord_1", "usr_01h455vb4pex5vsknk084sn02q", "%27%20or%201%3D1", ""] {
        let reply = ada.order(malformed).await;
        assert_eq!(reply.error_reason(400), "ID_MALFORMED", "{malformed:?}");
        assert_eq!(reply.body["field"], "orderId", "{malformed:?}");
    }
}

#[tokio::test]
async fn a_store_credential_is_limited_to_its_stores() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let order = ada.place_order("Latte", &store, &joepass).await;
    let other = store.as_credential(&ONE_STORE_CREDENTIAL);
    for step in ["accept", "start", "ready", "complete"] {
        assert_eq!(
            other.advance(&order, step).await.error_reason(404),
            "ORDER_UNKNOWN",
            "{step}"
        );
    }
    assert_eq!(other.reject(&order).await.error_reason(404), "ORDER_UNKNOWN");
    assert_eq!(other.order(&order).await.error_reason(404), "ORDER_UNKNOWN");
    assert_eq!(other.try_pause().await.error_reason(403), "FORBIDDEN");
    assert_eq!(other.fetch_queue().await.error_reason(403), "FORBIDDEN");
    let unknown = store.as_credential("store_made_up");
    assert_eq!(
        unknown.accept(&order).await.error_reason(401),
        "CREDENTIAL_UNKNOWN"
    );
    assert_eq!(ada.order(&order).await.order_status(), "Placed");
    assert_eq!(store.queue().await, [&*order]);
    store.make(&order).await;
    assert_eq!(
        other.order(&order).await.error_reason(404),
        "ORDER_UNKNOWN",
        "ended"
    );
    let made = store.order(&order).await;
    let (status, line) = (&made.data()["status"], &made.data()["lines"][0]);
    assert_eq!(
        (status, &line["itemName"]),
        (&json!("Completed"), &json!("Latte"))
    );
}

#[tokio::test]
async fn sessions_do_not_open_the_store_api_and_end_with_logout() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let order = ada.place_order("Latte", &store, &joepass).await;
    let accept = ada
        .send(Method::POST, &format!("/store-api/orders/{order}/accept"), None)
        .await;
    assert_eq!(accept.error_reason(401), "UNAUTHENTICATED");
    let logged_out = ada
        .send(Method::POST, "/api/consumer/authentication/logout", None)
        .await;
    logged_out.data();
    assert_eq!(ada.order(&order).await.error_reason(401), "UNAUTHENTICATED");
    assert_eq!(ada.cancel(&order).await.error_reason(401), "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_foreign_origin_cannot_place_orders() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let checkout = ada.draft_order("Latte", &store, &joepass).priced().await;
    let forged = ada
        .post_from_origin("https://evil.example", "order/create", &checkout.body)
        .await;
    assert_eq!(forged.error_reason(403), "ORIGIN_NOT_ALLOWED");
    assert!(ada.all_orders().await.is_empty());
}
