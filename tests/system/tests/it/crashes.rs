//! Ordering is killed between the steps of placing an order. The order is then either placed once with one payment, or abandoned
//! with nothing held, and its idempotency key returns that result.

use crate::harness::{Reply, Stack, own};

const CARD: &str = "4242424242424242";
const PROMO: &str = "WELCOME3";

#[derive(Clone, Copy)]
enum Pays {
    ByCard,
    ByJoePass,
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
    let tender = match pays {
        Pays::ByCard => ada.with_card(CARD).await,
        Pays::ByJoePass => ada.with_joepass(5_000).await,
    };
    let checkout = ada
        .draft_order("Latte", &store, &tender)
        .promo(PROMO)
        .priced()
        .await;
    if let Pays::ByJoePass = pays {
        // Leave exactly the total of this order.
        ada.spend(5_000 - checkout.total()).await;
    }
    let ordering = stack.program("ordering");
    stack.set_fault_point("ordering", fault_point).await;
    stack.arm();
    let interrupted = checkout.place().await;
    ordering.ended().await;
    assert!(interrupted.is_unavailable(), "{}", interrupted.body);
    if let Some(during_recovery) = during_recovery {
        stack.set_fault_point("ordering", during_recovery).await;
        stack.arm();
        ordering.ended().await;
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
        placed_order(&checkout.with_new_key().place().await)
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
            let own = own().await;
            #[allow(unused_mut, unused_assignments, reason = "only some tests crash twice")]
            let mut during_recovery = None;
            $(during_recovery = Some($later);)?
            place_order_despite_crash(own.stack, $place, during_recovery, Pays::$pays).await;
        }
    )*};
}

crash_tests! {
    after_begin: "place.begun", ByCard;
    after_claiming_the_discount: "place.claimed", ByJoePass;
    after_reserving_capacity: "place.reserved", ByCard;
    after_holding_stored_value: "place.held", ByJoePass;
    after_authorizing_the_card: "place.authorized", ByCard;
    after_acquiring_all_resources_with_a_card: "place.gathered", ByCard;
    after_acquiring_all_resources_with_joepass: "place.gathered", ByJoePass;
    before_confirming_with_a_card: "place.confirming", ByCard;
    before_confirming_with_joepass: "place.confirming", ByJoePass;
    after_confirming_with_a_card: "place.confirmed", ByCard;
    after_confirming_with_joepass: "place.confirmed", ByJoePass;
    and_during_recovery_with_a_card: "place.gathered" then "close.charge", ByCard;
    and_during_recovery_with_joepass: "place.gathered" then "close.charge", ByJoePass;
    and_after_recovery_closed_the_order: "place.gathered" then "recover.closed", ByCard;
}
