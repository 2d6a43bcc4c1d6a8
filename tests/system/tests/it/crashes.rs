//! Ordering is killed, as by a power cut, between each two steps of placing an order. Then the order is placed once with
//! one payment, or it is abandoned with nothing held; and its key gives that answer.

use crate::harness::{Reply, Stack, own};

const CARD: &str = "4242424242424242";
const PROMO: &str = "WELCOME3";

#[derive(Clone, Copy)]
enum Pays {
    ByCard,
    ByJoePass,
}

/// Orders with a code that holds once, by a consumer who can pay for one such order only; kills ordering at `place`, and
/// at `later` again while it recovers.
async fn killed(stack: &'static Stack, place: &str, later: Option<&str>, pays: Pays) {
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
        // Down to exactly what this order takes.
        ada.spend(5_000 - checkout.total()).await;
    }
    let ordering = stack.program("ordering");
    stack.set_fault_point("ordering", place).await;
    stack.arm();
    let cut_off = checkout.place().await;
    ordering.ended().await;
    assert!(cut_off.is_unavailable(), "{}", cut_off.body);
    if let Some(later) = later {
        stack.set_fault_point("ordering", later).await;
        stack.arm();
        ordering.ended().await;
    }
    stack.restart("ordering", &[]).await;

    let answer = checkout.place_until_final().await;
    assert_eq!(
        checkout.place().await,
        answer,
        "the key gives the same answer from then on"
    );
    ada.assert_consistent().await;
    let order = if place == "place.confirmed" {
        assert_eq!(answer.order_status(), "Placed");
        answer.order()
    } else {
        assert_eq!(answer.error_reason(409), "ORDER_NOT_PLACED");
        assert!(store.queue().await.is_empty());
        // Code, minutes and money are free again: the same cart can be ordered with all of them.
        placed(&checkout.with_new_key().place().await)
    };
    assert_eq!(store.queue().await, [order.as_str()]);
    store.make(&order).await;
    ada.assert_consistent().await;
}

fn placed(reply: &Reply) -> String {
    assert_eq!(reply.order_status(), "Placed");
    reply.order()
}

macro_rules! killed_at {
    ($($test:ident: $place:literal $(then $later:literal)?, $pays:ident;)*) => {$(
        #[tokio::test]
        async fn $test() {
            let own = own().await;
            #[allow(unused_mut, unused_assignments, reason = "only some are killed twice")]
            let mut later = None;
            $(later = Some($later);)?
            killed(own.stack, $place, later, Pays::$pays).await;
        }
    )*};
}

killed_at! {
    once_there_is_an_order: "place.begun", ByCard;
    once_the_code_is_claimed: "place.claimed", ByJoePass;
    once_the_minutes_are_reserved: "place.reserved", ByCard;
    once_the_stored_value_is_held: "place.held", ByJoePass;
    once_the_card_is_authorized: "place.authorized", ByCard;
    once_everything_is_gathered_of_a_card: "place.gathered", ByCard;
    once_everything_is_gathered_of_a_joepass: "place.gathered", ByJoePass;
    before_the_order_is_placed: "place.confirming", ByCard;
    before_the_order_is_placed_on_a_joepass: "place.confirming", ByJoePass;
    once_the_order_is_placed: "place.confirmed", ByCard;
    once_the_order_is_placed_on_a_joepass: "place.confirmed", ByJoePass;
    and_while_recovery_closes: "place.gathered" then "close.charge", ByCard;
    and_while_recovery_closes_a_joepass: "place.gathered" then "close.charge", ByJoePass;
    and_once_recovery_has_closed: "place.gathered" then "recover.closed", ByCard;
}
