//! Refunds of parts of orders, and refunds that the consumer's bank does not accept.

use serde_json::json;

use crate::harness::{Consumer, Stack, cents, eventually, exclusive_stack, shared_stack};

const CARD: &str = "4242424242424242";
const JOEPASS_PART: i64 = 200;

/// Runs a command of an operator. Returns its output if it succeeded.
fn run(stack: &Stack, program: &str, arguments: &[&str]) -> Option<String> {
    let mut command = stack.program(program).command();
    let output = command.args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    output.status.success().then_some(text)
}

/// Refunds a part of an order with the operator's command. Returns its output if it succeeded.
fn try_refund(stack: &Stack, order: &str, cents: i64, id: &str) -> Option<String> {
    run(stack, "ordering", &["refund", order, &cents.to_string(), id])
}

fn refund(stack: &Stack, order: &str, cents: i64, id: &str) -> bool {
    try_refund(stack, order, cents, id).is_some()
}

/// Waits until the provider refunded this amount to the card, and JoePass has this balance.
async fn refunded_becomes(stack: &Stack, ada: &Consumer, order: &str, expected: (i64, i64)) {
    eventually("the refund ends", async || {
        let to_card = stack.sandbox().intents(order).await[0]["refunded"]
            .as_i64()
            .unwrap();
        let actual = (to_card, ada.joepass().await.0);
        if actual == expected {
            Ok(())
        } else {
            Err(format!("{actual:?}"))
        }
    })
    .await;
}

/// Waits until the consumer has points.
async fn earned_points(consumer: &Consumer) -> i64 {
    eventually("the order earns points", async || match consumer.points().await {
        0 => Err("none yet"),
        points => Ok(points),
    })
    .await
}

#[tokio::test]
async fn a_part_of_a_split_order_goes_back_in_reverse() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(JOEPASS_PART).await;
    let card = ada.with_card(CARD).await;
    let checkout = ada.draft_order("Latte", &store, &card).priced().await;
    let on_card = checkout.total() - JOEPASS_PART;
    let order = checkout
        .with_stored_value(&joepass, JOEPASS_PART)
        .place()
        .await
        .order();
    assert!(!refund(stack, &order, 100, "too early"));
    store.make(&order).await;
    ada.assert_consistent().await;
    let earned = earned_points(&ada).await;

    assert!(refund(stack, &order, 100, "milk"));
    refunded_becomes(stack, &ada, &order, (100, 0)).await;
    // 10 for each dollar.
    ada.wait_for_points(earned - 10).await;
    // The rest of the card and a part of JoePass. A repeated command refunds nothing more.
    for _ in 0..2 {
        assert!(refund(stack, &order, on_card, "cake"));
    }
    refunded_becomes(stack, &ada, &order, (on_card, 100)).await;
    assert!(!refund(stack, &order, JOEPASS_PART - 99, "too much"));
    assert!(refund(stack, &order, JOEPASS_PART - 100, "tip"));
    refunded_becomes(stack, &ada, &order, (on_card, JOEPASS_PART)).await;
    ada.wait_for_points(0).await;
}

#[tokio::test]
async fn an_operator_sees_that_the_provider_rejects_a_refund() {
    let stack = exclusive_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card(CARD).await;
    let order = ada.place_order("Latte", &store, &card).await;
    store.make(&order).await;
    ada.assert_consistent().await;
    let rejection =
        json!({ "path": "/v1/refunds", "kind": "error", "status": 400, "code": "charge_already_refunded" });
    stack.sandbox().fault(rejection).await;

    let output = try_refund(&stack, &order, 100, "milk").unwrap();
    assert!(
        output.starts_with("planned: $1.00 to the card or bank account"),
        "{output}"
    );
    let list = ["effects", "list", "--state", "failed"];
    let row = eventually("the refund is listed as failed", async || {
        let output = run(&stack, "payments", &list).unwrap();
        let row = output.lines().find(|line| line.contains(&order));
        row.map(str::to_owned).ok_or(output)
    })
    .await;
    assert!(row.contains("charge_already_refunded"), "{row}");
    let effect = row.split('\t').next().unwrap();
    run(&stack, "payments", &["effects", "retry", effect]).unwrap();
    refunded_becomes(&stack, &ada, &order, (100, 0)).await;
}

#[tokio::test]
async fn a_refund_of_an_order_that_joepass_paid_takes_back_its_points() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let order = ada.place_order("Latte", &store, &joepass).await;
    let total = cents(&ada.order(&order).await.data()["total"]);
    store.make(&order).await;
    ada.assert_consistent().await;
    let earned = earned_points(&ada).await;
    for _ in 0..2 {
        assert!(refund(stack, &order, 100, "milk"));
    }
    ada.wait_for_points(earned - 10).await;
    assert!(refund(stack, &order, total - 100, "the rest"));
    ada.wait_for_points(0).await;
    assert_eq!(ada.joepass().await, (5_000, 0));
}

#[tokio::test]
async fn a_refund_that_the_bank_does_not_accept_is_added_to_joepass() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card(CARD).await;
    let order = ada.place_order("Latte", &store, &card).await;
    let total = cents(&ada.order(&order).await.data()["total"]);
    store.accept(&order).await;
    // The card is charged then, so that the rejection refunds it.
    ada.assert_consistent().await;
    store.reject(&order).await;
    refunded_becomes(stack, &ada, &order, (total, 0)).await;
    ada.assert_consistent().await;

    stack.sandbox().fail_refund(&order).await;
    refunded_becomes(stack, &ada, &order, (total, total)).await;
    let message = eventually("the message arrives", async || {
        let inbox = ada.get("inbox/list?take=50").await;
        let messages = inbox.data()["messages"].as_array().unwrap();
        let found = messages
            .iter()
            .find(|message| message["kind"] == "refund_credited");
        found.cloned().ok_or("no message yet")
    })
    .await;
    let amount = format!("${}.{:02}", total / 100, total % 100);
    assert_eq!(message["orderId"], json!(order));
    assert_eq!(message["title"], format!("We added {amount} to JoePass"));
    assert_eq!(
        message["body"],
        "Your bank or card didn't accept the refund, so you got it as JoePass balance."
    );
    let activity = ada.get("user/transaction-history").await;
    let newest = &activity.data()["transactions"][0];
    assert_eq!(
        (
            &newest["kind"],
            cents(&newest["amount"]),
            cents(&newest["balanceAfter"])
        ),
        (&json!("refund_credit"), total, total)
    );
}
