//! `order-xray` shows the whole life of an order.

use std::process::Output;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Consumer, ONE_STORE_CREDENTIAL, OPERATOR_KEY, Stack, eventually, shared_stack};

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

    xray_with(stack, &order, "payments.RefundDone consumed").await;
    // The relay records that it published the event after its consumer may have applied it.
    let output = xray_with(stack, &order, "payments.RefundDone published").await;
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

/// Sets a name and an email address that no other test uses. Returns texts that belong to the consumer.
async fn introduce(ada: &Consumer) -> Vec<String> {
    let unique = Uuid::new_v4().simple().to_string();
    let name = json!({ "firstName": format!("Ada{unique}"), "lastName": format!("Lovelace{unique}"),
        "email": format!("ada.{unique}@example.com") });
    let profile = ada.post("user/name", name).await.data().clone();
    let phone = profile["phone"].as_str().unwrap().trim_start_matches('+');
    vec![
        unique,
        phone.to_owned(),
        ada.id.to_string(),
        "4242424242424242".to_owned(),
    ]
}

/// Width of the time at the start of a line of the command, and of the space after it.
const TIME_WIDTH: usize = "2026-11-22T08:00:00.123456Z  ".len();

/// Returns the lines of the command for these records, without the times.
fn lines(timeline: &Value) -> Vec<String> {
    let records = timeline["records"].as_array().unwrap().iter();
    let line = |record: &Value| {
        let [service, text] = ["service", "text"].map(|name| record[name].as_str().unwrap());
        let trace = record["traceId"].as_str();
        let trace = trace.map_or_else(String::new, |id| format!("  trace {id}"));
        format!("{service:<10}  {text}{trace}")
    };
    records.map(line).collect()
}

#[tokio::test]
async fn operators_see_the_same_records_over_http_without_data_of_the_consumer() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let personal = introduce(&ada).await;
    let card = ada.with_card("4242424242424242").await;
    let order = ada.place_order("Latte", &store, &card).await;
    store.make(&order).await;
    ada.assert_consistent().await;
    let operator = store.as_credential(&OPERATOR_KEY);
    let timeline = eventually("the command and the call show the same records", async || {
        let output = String::from_utf8(xray(stack, &order).stdout).unwrap();
        let reply = operator.order_timeline(&order).await;
        let lines_of_command = output.lines().skip(2);
        let shown: Vec<String> = lines_of_command
            .map(|line| line[TIME_WIDTH..].to_owned())
            .collect();
        if lines(reply.data()) == shown && !output.contains("Not consumed") {
            Ok(reply.data().clone())
        } else {
            Err(format!("{shown:#?} {reply:?}"))
        }
    })
    .await;
    assert_eq!(timeline["orderId"], order);
    assert!(
        timeline["state"].as_str().unwrap().starts_with("completed at "),
        "{timeline}"
    );
    assert_eq!(timeline["notRead"], json!([]));
    let text = timeline.to_string();
    for expected in [
        "status completed",
        "effect capture done",
        "event ordering.OrderCompleted consumed",
    ] {
        assert!(text.contains(expected), "{expected:?} is missing: {text}");
    }
    for personal in personal {
        assert!(!text.contains(&personal), "{personal}: {text}");
    }
}

#[tokio::test]
async fn only_operators_see_the_records_of_an_order() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let order = ada.place_order("Latte", &store, &joepass).await;
    let one_store = store.as_credential(&ONE_STORE_CREDENTIAL);
    let unknown_key = store.as_credential(&OPERATOR_KEY.to_uppercase());
    for caller in [&store, &one_store, &unknown_key] {
        let reply = caller.order_timeline(&order).await;
        assert_eq!(reply.error_reason(401), "UNAUTHENTICATED");
    }
    let path = format!("/store-api/operator/orders/{order}/timeline");
    let consumer = ada.send(reqwest::Method::GET, &path, None).await;
    assert_eq!(consumer.error_reason(401), "UNAUTHENTICATED");
    let operator = store.as_credential(&OPERATOR_KEY);
    assert_eq!(operator.order_timeline(&order).await.data()["orderId"], order);
    let unknown = operator.order_timeline("ord_01h455vb4pex5vsknk084sn02q").await;
    assert_eq!(unknown.error_reason(404), "ORDER_UNKNOWN");
    for malformed in ["ord_1", "%27%20or%201%3D1"] {
        let reply = operator.order_timeline(malformed).await;
        assert_eq!(reply.error_reason(400), "ID_MALFORMED", "{malformed}");
    }
    assert_eq!(
        operator.fetch_queue().await.error_reason(401),
        "CREDENTIAL_UNKNOWN"
    );
}
