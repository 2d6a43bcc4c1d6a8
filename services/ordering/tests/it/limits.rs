//! The number of active orders of a consumer, and the size of one order.

use kit::ServiceError;
use ordering::{
    domain::{cart::CartLine, journey_step::JourneyStep, place_order::PlaceOrder},
    ops::{
        advance_order::{Advance, advance_order},
        price_order::price_order,
    },
};
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
    // A repeated call with the same key returns the order.
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
    checkout.place_cart("cart of another consumer", "").await.unwrap();
    checkout.harness.database.drop().await;
}

/// Returns a request for lines with these quantities.
fn command_for(checkout: &Checkout, quantities: &[u32]) -> PlaceOrder {
    let mut command = checkout.command("large cart");
    let line = command.cart.lines.remove(0);
    let lines = quantities.iter().enumerate().map(|(index, &quantity)| CartLine {
        line_id: (index + 1).to_string(),
        quantity,
        ..line.clone()
    });
    command.cart.lines = lines.collect();
    command
}

#[tokio::test]
async fn an_order_with_too_many_items_is_neither_priced_nor_placed() {
    let checkout = Checkout::new().await;
    let max_items = checkout.harness.cx.rules.order_max_items;
    assert_eq!(max_items, 50);
    let command = command_for(&checkout, &[20, 20, 12]);
    let priced = price_order(
        &checkout.harness.cx,
        checkout.consumer_id,
        JourneyStep::Web,
        command.cart.clone(),
    )
    .await;
    let unpriced = ServiceError::from(priced.unwrap_err());
    let rejected = checkout.place(command).await.unwrap_err();
    for error in [unpriced, rejected] {
        assert_eq!(
            (&*error.reason, error.field.as_deref(), &*error.message),
            (
                "ORDER_TOO_LARGE",
                Some("cart.items"),
                "One order can have up to 50 items. Please remove 2."
            )
        );
    }
    assert_eq!(checkout.services.count("ReserveCapacity"), 0);
    assert_eq!(checkout.count_orders().await, 0);
    let allowed = command_for(&checkout, &[20, 20, 10]);
    price_order(
        &checkout.harness.cx,
        checkout.consumer_id,
        JourneyStep::Web,
        allowed.cart,
    )
    .await
    .unwrap();
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn a_negative_tip_has_its_own_message() {
    let checkout = Checkout::new().await;
    let mut cart = checkout.command("cart").cart;
    cart.tip_minor_units = -1;
    let priced = price_order(&checkout.harness.cx, checkout.consumer_id, JourneyStep::Web, cart).await;
    let error = ServiceError::from(priced.unwrap_err());
    assert_eq!(
        (&*error.reason, error.field.as_deref(), &*error.message),
        (
            "TIP_OUT_OF_RANGE",
            Some("cart.tipAmount"),
            "The tip can't be negative."
        )
    );
    checkout.harness.database.drop().await;
}
