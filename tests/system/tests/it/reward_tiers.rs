//! Rewards at checkout.

use serde_json::{Value, json};

use crate::harness::{Checkout, cents, shared_stack};

async fn quote(checkout: &Checkout) -> Value {
    let request = json!({ "cart": checkout.body["cart"] });
    checkout
        .consumer
        .post("order/pricing", request)
        .await
        .data()
        .clone()
}

#[tokio::test]
async fn a_reward_costs_points_at_checkout_and_a_rejected_order_gives_them_back() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(50_000).await;
    let large = ada
        .draft_order("Latte", &store, &joepass)
        .times(10)
        .priced()
        .await;
    let earned = quote(&large).await["points"].as_i64().unwrap();
    assert!((250..500).contains(&earned), "{earned}");
    store.make(&large.place().await.order()).await;
    ada.wait_for_points(earned).await;

    let latte = ada.draft_order("Latte", &store, &joepass).promo("REWARD250");
    let latte = latte.priced().await;
    assert_eq!(cents(&quote(&latte).await["discount"]), 100);
    let bagel = ada
        .draft_order("Everything Bagel", &store, &joepass)
        .promo("REWARD250");
    assert_eq!(
        quote(&bagel.priced().await).await["promoReason"],
        "REWARD_NO_DRINK"
    );
    let order = latte.place().await.order();
    assert_eq!(ada.points().await, earned - 250);
    let other = latte.with_new_cart();
    assert_eq!(quote(&other).await["promoReason"], "REWARD_NOT_ENOUGH_POINTS");
    assert_eq!(other.place().await.error_reason(422), "REWARD_NOT_ENOUGH_POINTS");

    store.reject(&order).await.data();
    ada.wait_for_points(earned).await;
    let entries = ada.get("user/rewards").await.data()["entries"].clone();
    let titles: Vec<&str> = entries
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles[..2], ["Reward returned", "Reward"]);
}
