//! Concurrent conflicting actions on one order have one winner.

use std::time::Duration;

use tokio::time::sleep;

use crate::harness::{Consumer, Reply, Store, shared_stack};

const ROUNDS: u32 = 16;
const HEAD_START_STEP: Duration = Duration::from_millis(40);

/// Accepts and cancels an order at almost the same time. Each side gets the same head starts, and in the last rounds it ends before
/// the other starts, so that both win sometimes.
async fn accept_and_cancel(ada: &Consumer, store: &Store, order: &str, round: u32) -> (Reply, Reply) {
    let is_accept_first = (round / 2).is_multiple_of(2);
    if round / 4 == 3 {
        return if is_accept_first {
            let accept = store.accept(order).await;
            (accept, ada.cancel(order).await)
        } else {
            let cancel = ada.cancel(order).await;
            (store.accept(order).await, cancel)
        };
    }
    let head_start = HEAD_START_STEP * (round / 4);
    let (accept_after, cancel_after) = if is_accept_first {
        (Duration::ZERO, head_start)
    } else {
        (head_start, Duration::ZERO)
    };
    tokio::join!(
        async {
            sleep(accept_after).await;
            store.accept(order).await
        },
        async {
            sleep(cancel_after).await;
            ada.cancel(order).await
        },
    )
}

#[tokio::test]
async fn accepting_and_cancelling_have_one_winner() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (card, joepass) = (
        ada.with_card("4242424242424242").await,
        ada.with_joepass(50_000).await,
    );
    let mut accepted = 0;
    for round in 0..ROUNDS {
        let tender = if round % 2 == 0 { &card } else { &joepass };
        let order = ada.place_order("Latte", &store, tender).await;
        let (accept, cancel) = accept_and_cancel(&ada, &store, &order, round).await;
        if accept.status.is_success() {
            accepted += 1;
            assert_eq!(accept.order_status(), "Accepted");
            assert_eq!(cancel.error_reason(409), "ORDER_ACCEPTED");
            ada.wait_for_status(&order, "Accepted").await;
        } else {
            assert_eq!(accept.error_reason(409), "ORDER_CANCELLED");
            assert_eq!(cancel.order_status(), "Cancelled");
            ada.wait_for_status(&order, "Cancelled").await;
        }
    }
    assert!(
        (1..ROUNDS).contains(&accepted),
        "one side won all rounds: the store won {accepted} of {ROUNDS}"
    );
    ada.assert_consistent().await;
}

#[tokio::test]
async fn accepting_and_rejecting_have_one_winner() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(50_000).await;
    for _ in 0..5 {
        let order = ada.place_order("Latte", &store, &joepass).await;
        let (accept, reject) = tokio::join!(store.accept(&order), store.reject(&order));
        let won = |reply: &Reply| reply.status.is_success();
        // A store can reject an accepted order, but not accept a rejected one.
        assert!(won(&accept) || won(&reject), "{accept:?} {reject:?}");
        let end = ada.order(&order).await;
        assert_eq!(end.order_status() == "Rejected", won(&reject), "{end:?}");
    }
    ada.assert_consistent().await;
}

#[tokio::test]
async fn one_balance_pays_for_one_of_two_orders() {
    let stack = shared_stack().await;
    let (ada, here, there) = (stack.consumer().await, stack.store(), stack.store());
    let joepass = ada.with_joepass(800).await;
    let one = ada.draft_order("Latte", &here, &joepass).priced().await;
    let other = ada.draft_order("Latte", &there, &joepass).priced().await;
    let (one, other) = tokio::join!(one.place(), other.place());
    let (placed, rejected) = if one.status.is_success() {
        (one, other)
    } else {
        (other, one)
    };
    assert_eq!(placed.order_status(), "Placed");
    assert_eq!(rejected.error_reason(422), "INSUFFICIENT_BALANCE");
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_one_time_code_is_claimed_by_one_of_two_orders() {
    let stack = shared_stack().await;
    let (ada, here, there) = (stack.consumer().await, stack.store(), stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let one = ada
        .draft_order("Latte", &here, &joepass)
        .promo("TREAT3")
        .priced()
        .await;
    let other = ada
        .draft_order("Latte", &there, &joepass)
        .promo("TREAT3")
        .priced()
        .await;
    let (one, other) = tokio::join!(one.place(), other.place());
    let (placed, rejected) = if one.status.is_success() {
        (one, other)
    } else {
        (other, one)
    };
    assert_eq!(placed.order_status(), "Placed");
    assert_eq!(rejected.error_reason(422), "PROMO_USED");
    ada.assert_consistent().await;
}
