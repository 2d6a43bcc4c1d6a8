//! Two who want different things of one order at the same moment.

use crate::harness::{Reply, shared};

#[tokio::test]
async fn accepting_and_cancelling_have_one_winner() {
    let stack = shared().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (card, joepass) = (
        ada.with_card("4242424242424242").await,
        ada.with_joepass(50_000).await,
    );
    let mut accepted = 0;
    for round in 0..20 {
        let tender = if round % 2 == 0 { &card } else { &joepass };
        let order = ada.orders("Latte", &store, tender).await;
        let (accept, cancel) = tokio::join!(store.accepts(&order), ada.cancels(&order));
        if accept.status.is_success() {
            accepted += 1;
            assert_eq!(accept.order_status(), "Accepted");
            assert_eq!(cancel.refused(409), "ORDER_ACCEPTED");
            ada.sees(&order, "Accepted").await;
        } else {
            assert_eq!(accept.refused(409), "ORDER_CANCELLED");
            assert_eq!(cancel.order_status(), "Cancelled");
            ada.sees(&order, "Cancelled").await;
        }
    }
    println!("the store won {accepted} of 20");
    ada.books_balance().await;
}

#[tokio::test]
async fn accepting_and_rejecting_have_one_winner() {
    let stack = shared().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(50_000).await;
    for _ in 0..5 {
        let order = ada.orders("Latte", &store, &joepass).await;
        let (accept, reject) = tokio::join!(store.accepts(&order), store.rejects(&order));
        let won = |reply: &Reply| reply.status.is_success();
        // The store may turn down what it has accepted; it cannot accept what it has turned down.
        assert!(won(&accept) || won(&reject), "{accept:?} {reject:?}");
        let end = ada.order(&order).await;
        assert_eq!(end.order_status() == "Rejected", won(&reject), "{end:?}");
    }
    ada.books_balance().await;
}

#[tokio::test]
async fn one_balance_pays_for_one_of_two_orders() {
    let stack = shared().await;
    let (ada, here, there) = (stack.consumer().await, stack.store(), stack.store());
    let joepass = ada.with_joepass(800).await;
    let one = ada.wants("Latte", &here, &joepass).quoted().await;
    let other = ada.wants("Latte", &there, &joepass).quoted().await;
    let (one, other) = tokio::join!(one.place(), other.place());
    let (placed, refused) = if one.status.is_success() {
        (one, other)
    } else {
        (other, one)
    };
    assert_eq!(placed.order_status(), "Placed");
    assert_eq!(refused.refused(422), "INSUFFICIENT_BALANCE");
    ada.books_balance().await;
}

#[tokio::test]
async fn a_code_that_holds_once_is_claimed_by_one_of_two_orders() {
    let stack = shared().await;
    let (ada, here, there) = (stack.consumer().await, stack.store(), stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let one = ada
        .wants("Latte", &here, &joepass)
        .promo("WELCOME3")
        .quoted()
        .await;
    let other = ada
        .wants("Latte", &there, &joepass)
        .promo("WELCOME3")
        .quoted()
        .await;
    let (one, other) = tokio::join!(one.place(), other.place());
    let (placed, refused) = if one.status.is_success() {
        (one, other)
    } else {
        (other, one)
    };
    assert_eq!(placed.order_status(), "Placed");
    assert_eq!(refused.refused(422), "PROMO_USED");
    ada.books_balance().await;
}
