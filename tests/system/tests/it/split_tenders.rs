//! Orders that JoePass and a card pay together, through all services.

use serde_json::json;

use crate::harness::{Checkout, Consumer, Store, Tender, eventually, shared_stack};

const CARD: &str = "4242424242424242";
/// Has too little money.
const DECLINED: &str = "4000000000000341";
const JOEPASS_PART: i64 = 200;

/// Returns an order that JoePass pays in part, with all of its balance, and a card pays the rest.
async fn split_order(ada: &Consumer, store: &Store, card: &str) -> Checkout {
    let joepass = ada.with_joepass(JOEPASS_PART).await;
    let card = ada.with_card(card).await;
    let checkout = ada.draft_order("Latte", store, &card).priced().await;
    checkout.with_stored_value(&joepass, JOEPASS_PART)
}

/// Waits until JoePass has this balance and held amount.
async fn joepass_becomes(ada: &Consumer, expected: (i64, i64)) {
    eventually("the balance changes", async || {
        let actual = ada.joepass().await;
        if actual == expected {
            Ok(())
        } else {
            Err(format!("{actual:?}"))
        }
    })
    .await;
}

#[tokio::test]
async fn both_parts_are_held_captured_and_shown() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let checkout = split_order(&ada, &store, CARD).await;
    let placed = checkout.place().await;
    let order = placed.order();
    let rest = checkout.total() - JOEPASS_PART;
    let amount = |cents: i64| json!({ "currencyAmount": cents, "currencyFraction": 100, "currency": "usd" });
    assert_eq!(
        placed.data()["payments"],
        json!([
            { "type": "joebucks", "name": "JoePass", "amount": amount(JOEPASS_PART) },
            { "type": "card", "name": null, "amount": amount(rest) },
        ])
    );
    ada.assert_consistent().await;
    store.make(&order).await;
    ada.assert_consistent().await;
    joepass_becomes(&ada, (0, 0)).await;
    let receipt = ada.get(&format!("order/complete?orderId={order}")).await;
    assert_eq!(receipt.data()["payments"], placed.data()["payments"]);
}

#[tokio::test]
async fn a_declined_card_releases_the_stored_value() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let checkout = split_order(&ada, &store, DECLINED).await;
    let declined = checkout.place().await;
    assert_eq!(declined.error_reason(422), "CARD_DECLINED");
    assert_eq!(ada.joepass().await, (JOEPASS_PART, 0));
    ada.assert_consistent().await;
    // The same cart can be paid with another card.
    let card = ada.with_card(CARD).await;
    let paid = checkout.with_new_key().with("paymentMethod", card.0);
    assert_eq!(paid.place().await.order_status(), "Placed");
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_balance_below_its_part_is_rejected_before_the_card_is_charged() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let checkout = split_order(&ada, &store, CARD).await;
    ada.spend(1).await;
    let rejected = checkout.place().await;
    assert_eq!(rejected.error_reason(422), "INSUFFICIENT_BALANCE");
    ada.assert_consistent().await;
    assert_eq!(ada.joepass().await, (JOEPASS_PART - 1, 0));
}

#[tokio::test]
async fn each_part_goes_back_to_where_it_came_from() {
    let stack = shared_stack().await;
    for is_accepted in [false, true] {
        let (ada, store) = (stack.consumer().await, stack.store());
        let order = split_order(&ada, &store, CARD).await.place().await.order();
        if is_accepted {
            store.accept(&order).await;
            ada.assert_consistent().await;
        }
        store.reject(&order).await;
        joepass_becomes(&ada, (JOEPASS_PART, 0)).await;
        ada.assert_consistent().await;
    }
}

/// The store collects the card's part, so that the consumer pays it once. JoePass has paid the other part.
#[tokio::test]
async fn a_capture_that_fails_after_the_order_was_made_releases_the_hold() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let order = split_order(&ada, &store, CARD).await.place().await.order();
    let sandbox = stack.sandbox();
    let intent = sandbox.intents(&order).await[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/v1/payment_intents/{intent}/capture");
    // The provider is unavailable while the order is made, and rejects the capture afterwards.
    for error in [
        json!({ "path": path, "kind": "error", "status": 503, "times": 10 }),
        json!({ "path": path, "kind": "error", "status": 402, "code": "card_declined" }),
    ] {
        sandbox.fault(error).await;
    }
    for step in ["accept", "start", "ready"] {
        store.advance(&order, step).await.data();
    }
    eventually("the hold is released", async || {
        let status = sandbox.intent_status(&intent).await;
        if status == "canceled" { Ok(()) } else { Err(status) }
    })
    .await;
    eventually("the store collects the money", async || {
        let seen = ada.order(&order).await.data().clone();
        if seen["reason"] == "PAYMENT_CAPTURE_FAILED" {
            Ok(())
        } else {
            Err(seen.to_string())
        }
    })
    .await;
    store.advance(&order, "complete").await.data();
    let seen = ada.order(&order).await;
    assert_eq!(seen.order_status(), "Completed");
    assert_eq!(ada.joepass().await, (0, 0));
}

#[tokio::test]
async fn an_abandoned_authentication_releases_both_parts() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let checkout = split_order(&ada, &store, "4000002760003184").await;
    let pending = checkout.place().await;
    assert_eq!(pending.order_status(), "PaymentPending");
    assert_eq!(ada.joepass().await, (0, JOEPASS_PART));
    let request = json!({ "orderId": pending.order() });
    ada.post("order/cancel", request).await;
    joepass_becomes(&ada, (JOEPASS_PART, 0)).await;
    ada.assert_consistent().await;
}

#[tokio::test]
async fn one_balance_pays_its_part_of_one_order_only() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let first = split_order(&ada, &store, CARD).await;
    let others: Vec<Checkout> = (0..4).map(|_| first.with_new_cart()).collect();
    let replies = futures::future::join_all(others.iter().map(Checkout::place)).await;
    let placed = replies.iter().filter(|reply| reply.status.is_success()).count();
    assert_eq!(placed, 1);
    for reply in replies.iter().filter(|reply| !reply.status.is_success()) {
        assert_eq!(reply.error_reason(422), "INSUFFICIENT_BALANCE");
    }
    ada.assert_consistent().await;
    assert_eq!(ada.joepass().await, (0, JOEPASS_PART));
}

#[tokio::test]
async fn a_foreign_balance_pays_no_part() {
    let stack = shared_stack().await;
    let (ada, eve, store) = (stack.consumer().await, stack.consumer().await, stack.store());
    let joepass: Tender = ada.with_joepass(5_000).await;
    let card = eve.with_card(CARD).await;
    let checkout = eve.draft_order("Latte", &store, &card).priced().await;
    let stolen = checkout.with_stored_value(&joepass, JOEPASS_PART).place().await;
    assert_eq!(stolen.error_reason(422), "PAYMENT_METHOD_UNKNOWN");
    assert_eq!(ada.joepass().await, (5_000, 0));
}
