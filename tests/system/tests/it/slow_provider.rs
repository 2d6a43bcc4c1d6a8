//! The payment provider responds slowly.

use serde_json::json;

use crate::harness::exclusive_stack;

#[tokio::test]
async fn an_order_is_placed_if_the_provider_needs_six_seconds() {
    let stack = exclusive_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let checkout = ada.draft_order("Latte", &store, &card).priced().await;
    stack
        .sandbox()
        .fault(json!({ "path": "/v1/payment_intents", "method": "POST", "kind": "slow", "ms": 6000 }))
        .await;
    let placed = checkout.place().await;
    assert_eq!(placed.order_status(), "Placed", "{}", placed.body);
    let intents = stack.sandbox().intents(&placed.order()).await;
    assert_eq!(intents.len(), 1, "{intents:#?}");
    assert_eq!(intents[0]["status"], "requires_capture");
    ada.assert_consistent().await;
}
