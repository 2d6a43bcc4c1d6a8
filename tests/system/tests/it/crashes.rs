//! Ordering, or a service that it calls, is killed between the steps of placing an order. The order is then either placed once with
//! one payment, or abandoned with nothing held, and its idempotency key returns that result.

use crate::harness::{
    Checkout, Consumer, Reply, Stack, Store, Tender, exclusive_stack, exclusive_stack_with_short_saga_lease,
};

const CARD: &str = "4242424242424242";
const PROMO: &str = "TREAT3";

#[derive(Clone, Copy)]
enum Pays {
    Card,
    JoePass,
    /// JoePass pays [`JOEPASS_PART`], and a card the rest.
    Both,
}

/// The part that JoePass pays, in cents. With the promo code, a latte costs less than 2 dollars.
const JOEPASS_PART: i64 = 100;

/// Returns a priced order with a one-time code, of a consumer with money for one order only.
async fn priced_order(ada: &Consumer, store: &Store, pays: Pays) -> Checkout {
    let draft = |tender: &Tender| ada.draft_order("Latte", store, tender).promo(PROMO);
    match pays {
        Pays::Card => draft(&ada.with_card(CARD).await).priced().await,
        Pays::JoePass => {
            let checkout = draft(&ada.with_joepass(5_000).await).priced().await;
            // Leave exactly the total of this order.
            ada.spend(5_000 - checkout.total()).await;
            checkout
        }
        Pays::Both => {
            let joepass = ada.with_joepass(JOEPASS_PART).await;
            let checkout = draft(&ada.with_card(CARD).await).priced().await;
            checkout.with_stored_value(&joepass, JOEPASS_PART)
        }
    }
}

/// Places an order with a one-time code, as a consumer with money for one order only. Kills ordering at `fault_point`, and again at
/// `during_recovery`.
async fn place_order_despite_crash(
    stack: &'static Stack,
    fault_point: &str,
    during_recovery: Option<&str>,
    pays: Pays,
) {
    let (ada, store) = (stack.consumer().await, stack.store());
    let checkout = priced_order(&ada, &store, pays).await;
    stack.set_fault_point_of_saga(fault_point).await;
    stack.arm();
    let checkout = place_until_ended(stack, "ordering", checkout).await;
    if let Some(during_recovery) = during_recovery {
        stack.start_recovery_until(during_recovery);
        stack.program("ordering").ended().await;
    }
    stack.restart("ordering", &[]).await;

    let reply = checkout.place_until_final().await;
    assert_eq!(
        checkout.place().await,
        reply,
        "the key returns the same response from then on"
    );
    ada.assert_consistent().await;
    let order = if fault_point == "place.confirmed" {
        assert_eq!(reply.order_status(), "Placed");
        reply.order()
    } else {
        assert_eq!(reply.error_reason(409), "ORDER_NOT_PLACED");
        assert!(store.queue().await.is_empty());
        // Code, capacity and money are released, so the same cart can be ordered again.
        placed_order(&checkout.with_new_key().place_until_final().await)
    };
    assert_eq!(store.queue().await, [order.as_str()]);
    store.make(&order).await;
    ada.assert_consistent().await;
}

fn placed_order(reply: &Reply) -> String {
    assert_eq!(reply.order_status(), "Placed");
    reply.order()
}

macro_rules! crash_tests {
    ($($test:ident: $place:literal $(then $later:literal)?, $pays:ident;)*) => {$(
        #[tokio::test]
        async fn $test() {
            let stack = exclusive_stack().await;
            #[allow(unused_mut, unused_assignments, reason = "only some tests crash twice")]
            let mut during_recovery = None;
            $(during_recovery = Some($later);)?
            place_order_despite_crash(stack.stack, $place, during_recovery, Pays::$pays).await;
        }
    )*};
}

crash_tests! {
    a_crash_after_begin_leaves_no_partial_order: "place.begun", Card;
    a_crash_after_claiming_the_discount_leaves_no_partial_order: "place.claimed", JoePass;
    a_crash_after_reserving_capacity_leaves_no_partial_order: "place.reserved", Card;
    a_crash_after_holding_stored_value_leaves_no_partial_order: "place.held", JoePass;
    a_crash_after_authorizing_the_card_leaves_no_partial_order: "place.authorized", Card;
    a_crash_before_the_confirmation_leaves_no_charge: "place.acquired", Card;
    a_crash_before_the_confirmation_leaves_no_hold: "place.acquired", JoePass;
    a_crash_during_the_confirmation_leaves_no_charge: "place.confirming", Card;
    a_crash_during_the_confirmation_leaves_no_hold: "place.confirming", JoePass;
    a_crash_after_the_confirmation_loses_no_order_paid_by_card: "place.confirmed", Card;
    a_crash_after_the_confirmation_loses_no_order_paid_with_joepass: "place.confirmed", JoePass;
    a_second_crash_during_recovery_leaves_no_charge: "place.acquired" then "close.charge", Card;
    a_second_crash_during_recovery_leaves_no_hold: "place.acquired" then "close.charge", JoePass;
    a_second_crash_after_recovery_changes_nothing: "place.acquired" then "recover.closed", Card;
    a_crash_between_the_parts_of_a_split_tender_leaves_no_hold: "place.held", Both;
    a_crash_after_the_card_part_of_a_split_tender_leaves_no_partial_order: "place.authorized", Both;
    a_crash_before_the_confirmation_leaves_no_part_of_a_split_tender: "place.acquired", Both;
    a_crash_during_the_confirmation_leaves_no_part_of_a_split_tender: "place.confirming", Both;
    a_crash_after_the_confirmation_loses_no_order_with_a_split_tender: "place.confirmed", Both;
    a_second_crash_during_recovery_leaves_no_part_of_a_split_tender: "place.acquired" then "close.charge", Both;
}

/// Places an order while `service` is killed at `fault_point`, after its commit and before its response.
async fn place_order_despite_crash_of(stack: &'static Stack, service: &str, fault_point: &str, pays: Pays) {
    let (ada, store) = (stack.consumer().await, stack.store());
    let checkout = priced_order(&ada, &store, pays).await;
    stack.set_fault_point(service, fault_point).await;
    stack.arm();
    let checkout = place_until_ended(stack, service, checkout).await;
    stack.restart(service, &[]).await;
    let reply = checkout.place_until_final().await;
    assert_eq!(
        checkout.place().await,
        reply,
        "the key returns the same response from then on"
    );
    ada.assert_consistent().await;
    // Ordering repeats the call while its retry budget lasts, and closes the order otherwise.
    let order = if reply.status.is_success() {
        placed_order(&reply)
    } else {
        assert_eq!(reply.error_reason(409), "ORDER_NOT_PLACED");
        assert!(store.queue().await.is_empty());
        place_again(&checkout, &store).await
    };
    assert_eq!(store.queue().await, [order.as_str()]);
    store.make(&order).await;
    ada.assert_consistent().await;
}

/// Places the order until `service` has ended at its fault point, and returns the attempt during which it ended. No attempt gets a
/// final response before that, with one exception: on a slow machine, an attempt can take longer than the short lease of the saga
/// before it reaches the fault point. Recovery then closes it, and the next attempt has a new key.
async fn place_until_ended(stack: &'static Stack, service: &str, mut checkout: Checkout) -> Checkout {
    let program = stack.program(service);
    for _ in 0..5 {
        tokio::select! {
            _ = program.ended() => return checkout,
            reply = checkout.place_until_final() => {
                if !program.has_ended() {
                    assert_eq!(reply.error_reason(409), "ORDER_NOT_PLACED");
                    checkout = checkout.with_new_key();
                }
            }
        }
    }
    panic!("no attempt reached the fault point");
}

/// Places the order with new keys. On a slow machine, an attempt may also take longer than the short lease of the saga.
async fn place_again(checkout: &Checkout, store: &Store) -> String {
    for _ in 0..5 {
        let reply = checkout.with_new_key().place_until_final().await;
        if reply.status.is_success() {
            return placed_order(&reply);
        }
        assert_eq!(reply.error_reason(409), "ORDER_NOT_PLACED");
        assert!(store.queue().await.is_empty());
    }
    panic!("no attempt placed the order");
}

macro_rules! crash_tests_of_callees {
    ($($test:ident: $service:literal at $place:literal, $pays:ident;)*) => {$(
        #[tokio::test]
        async fn $test() {
            let stack = exclusive_stack_with_short_saga_lease().await;
            place_order_despite_crash_of(stack.stack, $service, $place, Pays::$pays).await;
        }
    )*};
}

crash_tests_of_callees! {
    a_crash_of_rewards_after_the_claim_leaves_no_partial_order: "rewards" at "discount.claimed", Card;
    a_crash_of_stores_after_the_reservation_leaves_no_partial_order: "stores" at "reserve.written", JoePass;
    a_crash_of_gift_cards_after_the_hold_leaves_no_partial_order: "gift-cards" at "value.held", JoePass;
    a_crash_of_payments_after_the_authorization_leaves_no_partial_order: "payments" at "charge.authorized_at_provider", Card;
    a_crash_of_gift_cards_after_the_hold_leaves_no_part_of_a_split_tender: "gift-cards" at "value.held", Both;
    a_crash_of_payments_after_the_authorization_leaves_no_part_of_a_split_tender: "payments" at "charge.authorized_at_provider", Both;
}

/// Releases the resources of a declined order while `service` is killed at `fault_point`, after its commit.
async fn decline_order_despite_crash_of(stack: &'static Stack, service: &str, fault_point: &str) {
    let (ada, store) = (stack.consumer().await, stack.store());
    let declined = ada.with_card("4000000000000341").await;
    let draft = ada.draft_order("Latte", &store, &declined).promo(PROMO);
    let checkout = draft.priced().await;
    stack.set_fault_point(service, fault_point).await;
    stack.arm();
    let restart = async {
        stack.program(service).ended().await;
        stack.restart(service, &[]).await;
    };
    tokio::join!(checkout.place(), restart);
    let reply = checkout.place_until_final().await;
    assert_eq!(reply.error_reason(422), "CARD_DECLINED");
    ada.assert_consistent().await;
    let card = ada.with_card(CARD).await;
    let paid = checkout.with_new_key().with("paymentMethod", card.0);
    let order = placed_order(&paid.place_until_final().await);
    assert_eq!(store.queue().await, [order]);
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_crash_of_stores_during_a_release_leaves_no_reservation() {
    let stack = exclusive_stack_with_short_saga_lease().await;
    decline_order_despite_crash_of(stack.stack, "stores", "capacity.released").await;
}

#[tokio::test]
async fn a_crash_of_rewards_during_a_release_leaves_no_claim() {
    let stack = exclusive_stack_with_short_saga_lease().await;
    decline_order_despite_crash_of(stack.stack, "rewards", "claim.closed").await;
}

#[tokio::test]
async fn a_crash_of_gift_cards_during_recovery_leaves_no_hold() {
    let stack = exclusive_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let checkout = ada.draft_order("Latte", &store, &joepass).priced().await;
    stack.set_fault_point_of_saga("place.held").await;
    stack.arm();
    let checkout = place_until_ended(stack.stack, "ordering", checkout).await;
    stack.set_fault_point("gift-cards", "hold.closed").await;
    stack.arm();
    stack.restart("ordering", &[]).await;
    stack.program("gift-cards").ended().await;
    stack.restart("gift-cards", &[]).await;
    let reply = checkout.place_until_final().await;
    assert_eq!(reply.error_reason(409), "ORDER_NOT_PLACED");
    ada.assert_consistent().await;
    assert_eq!(ada.joepass().await, (5_000, 0));
}
