//! `order-xray` shows the whole life of an order.

use std::process::Output;

use crate::harness::{Stack, eventually, shared_stack};

fn xray(stack: &Stack, order: &str) -> Output {
    stack.operator_command("order-xray").arg(order).output().unwrap()
}

/// Returns the output once it contains a text, and panics with it if that never happens.
async fn xray_with(stack: &Stack, order: &str, text: &str) -> String {
    eventually("order-xray shows all events", async || {
        let output = String::from_utf8(xray(stack, order).stdout).unwrap();
        if output.contains(text) && !output.contains("Not consumed") {
            Ok(output)
        } else {
            Err(output)
        }
    })
    .await
}

/// Asserts that the output contains these texts, each after the one before.
fn assert_in_order(output: &str, texts: &[&str]) {
    let mut rest = output;
    for text in texts {
        let at = rest.find(text);
        assert!(at.is_some(), "{text:?} is missing or too early:\n{output}");
        rest = &rest[at.unwrap() + text.len()..];
    }
}

#[tokio::test]
async fn the_life_of_an_order_by_card_that_is_refunded_after_completion_is_shown() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let draft = ada.draft_order("Latte", &store, &card).times(2).promo("FRESH10");
    let checkout = draft.priced().await;
    let order = checkout.place_until_final().await.order();
    store.make(&order).await;
    ada.assert_consistent().await;
    stack.sandbox().refund_part(&order, 100).await;

    let output = xray_with(stack, &order, "payments.RefundDone consumed").await;
    let header = output.lines().next().unwrap();
    assert!(header.starts_with(&format!("{order}: completed at ")), "{header}");
    assert_in_order(
        &output,
        &[
            "ordering    status payment_pending (by consumer, version 1)",
            "payments    charge created: ",
            "ordering    status placed",
            "ordering    status accepted (by store",
            "ordering    status preparing",
            "ordering    status ready",
            "ordering    status completed",
            "payments    refund of 100 cents succeeded, provider id re_",
            "rewards     event payments.RefundDone consumed",
        ],
    );
    for text in [
        "stores      capacity reserved: ",
        " cents with FRESH10",
        "ordering    event ordering.OrderAccepted published",
        "payments    event ordering.OrderAccepted consumed",
        "payments    event payments.RefundDone published",
        "payments    effect capture planned",
        "payments    effect capture done (1 attempts)",
        "stores      event ordering.OrderCompleted consumed",
        "rewards     event ordering.OrderCompleted consumed",
        "payments    charge is succeeded, 100 cents refunded",
        "points from earned to ",
    ] {
        assert!(output.contains(text), "{text:?} is missing:\n{output}");
    }
}

#[tokio::test]
async fn the_postings_of_an_order_with_stored_value_are_shown() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let order = ada.place_order("Latte", &store, &joepass).await;
    store.accept(&order).await.data();
    // Captured, because a rejection that is consumed first releases the hold.
    ada.assert_consistent().await;
    store.reject(&order).await.data();
    ada.assert_consistent().await;

    let output = xray_with(stack, &order, "gift-cards  event ordering.OrderRejected consumed").await;
    assert_in_order(
        &output,
        &[
            "gift-cards  hold created: ",
            "gift-cards  posting order_held: ",
            "gift-cards  posting order_captured: ",
            "gift-cards  posting order_refunded: ",
        ],
    );
    assert!(output.contains("gift-cards  hold is refunded"), "{output}");
    assert!(output.contains("stores      capacity released"), "{output}");
}

#[tokio::test]
async fn an_unknown_order_and_an_unavailable_database_are_reported() {
    let stack = shared_stack().await;
    let unknown = xray(stack, "ord_01h455vb4pex5vsknk084sn02q");
    assert!(!unknown.status.success());
    let error = String::from_utf8(unknown.stderr).unwrap();
    assert_eq!(error, "ord_01h455vb4pex5vsknk084sn02q does not exist\n");

    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let order = ada.place_order("Latte", &store, &joepass).await;
    let mut command = stack.operator_command("order-xray");
    let partial = command
        .arg(&order)
        .env("REWARDS_DATABASE_URL", "postgres://127.0.0.1:1/rewards");
    let partial = partial.output().unwrap();
    assert!(!partial.status.success(), "an incomplete output is no success");
    let output = String::from_utf8(partial.stdout).unwrap();
    assert!(output.contains("status placed"), "{output}");
    assert!(
        output.contains("Not read:\n  rewards: the database is unavailable"),
        "{output}"
    );
}
