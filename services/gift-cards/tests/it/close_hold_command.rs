//! `gift-cards close-hold`, as an operator runs it.

use std::process::{Command, Stdio};

use gift_cards::accounts::{IN_FLIGHT, SALES};
use secrecy::ExposeSecret;
use types::OrderId;

use crate::harness::{CALLER_SECRET, Harness, SECRET, accepted, new_order};

/// Returns the output if the command succeeded, otherwise its error.
fn close_hold(harness: &Harness, order_id: OrderId, cents: i64) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_gift-cards"))
        .args(["close-hold", &order_id.to_string(), &cents.to_string()])
        .env("GIFT_CARDS_DATABASE_URL", harness.database_url().expose_secret())
        .env("ACCOUNTS_ADDRESS", harness.services.url())
        .env("PAYMENTS_ADDRESS", harness.services.url())
        .env("STORES_ADDRESS", harness.services.url())
        .env("CALLER_SECRET", CALLER_SECRET)
        .env("GIFT_CARDS_SECRET", SECRET)
        .env("AMQP_URL", "amqp://127.0.0.1:1")
        .env_remove("OTEL_EXPORTER_OTLP_ENDPOINT")
        .env_remove("METRICS_LISTEN")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() {
        Ok(text(output.stdout))
    } else {
        Err(text(output.stderr))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_returns_value_that_is_held_or_captured_by_mistake_once() {
    let harness = Harness::start().await;
    let (consumer, held, captured) = (harness.consumer_with(1_000).await, new_order(), new_order());
    for order in [held, captured] {
        harness.hold(order, consumer, 300).await.unwrap();
    }
    harness.receive(accepted(captured)).await.unwrap();
    assert_eq!(close_hold(&harness, held, 300).unwrap(), "$3.00 released\n");
    assert_eq!(close_hold(&harness, captured, 300).unwrap(), "$3.00 refunded\n");
    assert_eq!(harness.wallet(consumer).await, (1_000, 0));
    assert_eq!(
        (
            harness.sum_of_postings(IN_FLIGHT).await,
            harness.sum_of_postings(SALES).await
        ),
        (0, 0)
    );

    for (order, state) in [(held, "released"), (captured, "refunded")] {
        let error = close_hold(&harness, order, 300).unwrap_err();
        assert!(error.contains(&format!("the hold is {state} already")), "{error}");
    }
    assert_eq!(harness.wallet(consumer).await, (1_000, 0));
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_without_a_hold_can_hold_value_after_the_command() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(1_000).await, new_order());
    let error = close_hold(&harness, order, 300).unwrap_err();
    assert!(error.contains("the order has no hold"), "{error}");
    harness.hold(order, consumer, 300).await.unwrap();
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_of_another_amount_than_expected_stays_open() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(1_000).await, new_order());
    harness.hold(order, consumer, 300).await.unwrap();
    let error = close_hold(&harness, order, 301).unwrap_err();
    assert!(
        error.contains("the amount of the hold is $3.00, not $3.01"),
        "{error}"
    );
    assert_eq!(harness.wallet(consumer).await, (700, 300));
    assert_eq!(close_hold(&harness, order, 300).unwrap(), "$3.00 released\n");
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parts_that_were_refunded_before_are_not_returned_again() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(1_000).await, new_order());
    harness.hold(order, consumer, 300).await.unwrap();
    harness.receive(accepted(order)).await.unwrap();
    harness.refund_hold(order, "milk", 200).await.unwrap();
    assert_eq!(close_hold(&harness, order, 300).unwrap(), "$1.00 refunded\n");
    assert_eq!(harness.wallet(consumer).await, (1_000, 0));
    harness.close().await;
}
