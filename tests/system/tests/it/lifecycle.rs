//! Processes start in any order and stop without losing work.

use futures::future::join_all;
use serde_json::json;

use crate::harness::{Checkout, PROGRAMS, exclusive_stack};

#[tokio::test]
async fn programs_stop_cleanly_and_start_in_any_order() {
    let stack = exclusive_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (card, joepass) = (
        ada.with_card("4242424242424242").await,
        ada.with_joepass(5_000).await,
    );
    let orders = [
        ada.place_order("Latte", &store, &card).await,
        ada.place_order("Latte", &store, &joepass).await,
    ];
    store.accept(&orders[0]).await.data();
    // The provider sandbox keeps running with its state.
    let ours: Vec<_> = PROGRAMS
        .into_iter()
        .filter(|name| *name != "card-sandbox")
        .collect();
    let ends = join_all(ours.iter().map(|name| stack.program(name).stop())).await;
    for (name, end) in ours.iter().zip(ends) {
        assert!(end.success(), "{name}: {end}");
    }
    stack.start_all(ours.iter().rev().copied()).await;
    assert_eq!(
        ada.wait_for_status(&orders[0], "Accepted").await["orderId"],
        orders[0]
    );
    assert_eq!(
        ada.wait_for_status(&orders[1], "Placed").await["orderId"],
        orders[1]
    );
    store.accept(&orders[1]).await.data();
    ada.assert_consistent().await;
    let third = ada.draft_order("Latte", &store, &joepass).priced().await;
    assert_eq!(third.place_until_final().await.order_status(), "Placed");
}

#[tokio::test]
async fn ordering_finishes_started_orders_before_it_stops() {
    let stack = exclusive_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let mut checkouts = Vec::new();
    for _ in 0..6 {
        checkouts.push(ada.draft_order("Latte", &store, &card).priced().await);
    }
    // Slow enough to be stopped in between.
    stack
        .sandbox()
        .fault(
            json!({ "path": "/v1/payment_intents", "method": "POST", "kind": "slow", "ms": 800, "times": 6 }),
        )
        .await;
    let stop = async {
        crate::harness::eventually("all orders have started", async || {
            let begun = ada.all_orders().await.len();
            if begun == 6 {
                Ok(())
            } else {
                Err(format!("{begun}"))
            }
        })
        .await;
        stack.program("ordering").stop().await
    };
    let (answers, end) = tokio::join!(join_all(checkouts.iter().map(Checkout::place)), stop);
    assert!(end.success(), "{end}");
    for answer in &answers {
        assert!(
            answer.is_unavailable() || answer.order_status() == "Placed",
            "{answer:?}"
        );
    }
    stack.restart("ordering", &[]).await;
    for checkout in &checkouts {
        assert_eq!(
            checkout.place_until_final().await.order_status(),
            "Placed",
            "every started order was finished"
        );
    }
    ada.assert_consistent().await;
}
