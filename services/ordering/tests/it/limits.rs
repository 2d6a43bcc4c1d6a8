//! The number of active orders of a consumer.

use ordering::ops::advance_order::{Advance, advance_order};
use types::ConsumerId;

use crate::place_order::Checkout;

impl Checkout {
    /// Places an order for as soon as possible, or a scheduled one. Returns the reason if it is rejected.
    async fn place_cart(&self, cart_id: &str, pickup_at: &str) -> Result<(), String> {
        let mut command = self.command(cart_id);
        command.cart.pickup_at = pickup_at.to_owned();
        match self.place(command).await {
            Ok(_) => Ok(()),
            Err(error) => Err(error.reason.into_owned()),
        }
    }
}

const LATER: &str = "2026-11-21T16:00:00Z";

#[tokio::test]
async fn concurrent_requests_do_not_exceed_the_number_of_active_orders() {
    let checkout = Checkout::new().await;
    let carts: Vec<String> = (0..12).map(|number| format!("cart {number}")).collect();
    for (pickup_at, name) in [("", "now"), (LATER, "later")] {
        let requests = carts.iter().map(|cart| {
            let cart = format!("{cart} {name}");
            let checkout = &checkout;
            async move { checkout.place_cart(&cart, pickup_at).await }
        });
        let outcomes = futures::future::join_all(requests).await;
        let placed = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        assert_eq!(placed, 5, "{outcomes:?}");
        assert!(
            outcomes
                .iter()
                .filter_map(|outcome| outcome.as_ref().err())
                .all(|reason| reason == "TOO_MANY_ACTIVE_ORDERS"),
            "{outcomes:?}"
        );
    }
    assert_eq!(checkout.count_orders().await, 10);
    assert_eq!(
        checkout.services.count("ReserveCapacity"),
        10,
        "nothing is reserved for the others"
    );
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn an_order_counts_until_it_is_ready_and_only_for_its_consumer() {
    let mut checkout = Checkout::new().await;
    for number in 0..5 {
        checkout.place_cart(&format!("cart {number}"), "").await.unwrap();
    }
    assert_eq!(
        checkout.place_cart("another", "").await.unwrap_err(),
        "TOO_MANY_ACTIVE_ORDERS"
    );
    // The same key gets the order that it created.
    checkout.place_cart("cart 0", "").await.unwrap();
    let first = checkout.place(checkout.command("cart 0")).await.unwrap().order;
    let record = checkout.harness.find(first.id).await;
    let store = checkout.harness.store_of(&record);
    for step in [Advance::Accept, Advance::MarkReady] {
        advance_order(&checkout.harness.cx, Some(&store), first.id, step)
            .await
            .unwrap();
    }
    checkout.place_cart("one more", "").await.unwrap();
    assert!(checkout.place_cart("too many", "").await.is_err());
    checkout.consumer_id = ConsumerId::new(checkout.harness.now());
    checkout.place_cart("of somebody else", "").await.unwrap();
    checkout.harness.database.drop().await;
}
