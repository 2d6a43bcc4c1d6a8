//! The limit of wrong promo codes.

use futures::future::join_all;
use rewards::ops::prune_promo_failures::prune_promo_failures;
use types::ConsumerId;

use crate::harness::{Harness, consumer_removed, new_consumer};

const HOUR_SECONDS: i64 = 60 * 60;

/// Prices a code. Returns the reason for its rejection, or an empty text.
async fn reason(harness: &Harness, consumer: ConsumerId, code: &str) -> String {
    harness.price(consumer, code, 640).await.reason
}

#[tokio::test]
async fn after_ten_wrong_codes_in_an_hour_all_codes_are_rejected() {
    let harness = Harness::start().await;
    let (guesser, other) = (new_consumer(), new_consumer());
    for number in 0..10 {
        assert_eq!(reason(&harness, guesser, "FRESH10").await, "", "after {number}");
        assert_eq!(
            reason(&harness, guesser, &format!("GUESS{number}")).await,
            "PROMO_UNKNOWN"
        );
    }
    for code in ["GUESS10", "GUESS1", "FRESH10"] {
        let price = harness.price(guesser, code, 640).await;
        assert_eq!(
            (&*price.reason, &*price.message),
            (
                "PROMO_TOO_MANY_ATTEMPTS",
                "You've tried too many promo codes. Please try again in an hour."
            ),
            "{code}"
        );
        assert_eq!((price.amount.unwrap().minor_units, &*price.r#type), (0, ""));
    }
    assert_eq!(reason(&harness, other, "FRESH10").await, "");
    harness.advance_clock(HOUR_SECONDS);
    assert_eq!(reason(&harness, guesser, "FRESH10").await, "");
    harness.close().await;
}

#[tokio::test]
async fn a_wrong_code_that_is_priced_again_counts_once() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    for _ in 0..20 {
        assert_eq!(reason(&harness, consumer, "no such").await, "PROMO_UNKNOWN");
    }
    assert_eq!(reason(&harness, consumer, "FRESH10").await, "");
    harness.close().await;
}

#[tokio::test]
async fn concurrent_guesses_do_not_exceed_the_limit() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let codes: Vec<String> = (0..32).map(|number| format!("GUESS{number}")).collect();
    let reasons = join_all(codes.iter().map(|code| reason(&harness, consumer, code))).await;
    let guesses = reasons.iter().filter(|reason| *reason == "PROMO_UNKNOWN").count();
    assert_eq!(guesses, 10, "{reasons:?}");
    harness.close().await;
}

#[tokio::test]
async fn wrong_codes_are_deleted_after_an_hour_and_with_the_consumer() {
    let harness = Harness::start().await;
    let (first, second) = (new_consumer(), new_consumer());
    reason(&harness, first, "GUESS1").await;
    reason(&harness, second, "GUESS1").await;
    harness.receive(consumer_removed(first)).await.unwrap();
    assert_eq!(prune_promo_failures(&harness.cx).await.unwrap(), 0);
    harness.advance_clock(HOUR_SECONDS);
    assert_eq!(prune_promo_failures(&harness.cx).await.unwrap(), 1);
    harness.close().await;
}
