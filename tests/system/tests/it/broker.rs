//! With the broker unavailable, or processes killed around each publish and acknowledgement, every event takes effect once.

use crate::harness::{Consumer, Fault, Stack, Store, Tender, eventually, exclusive_stack};

const CARD: &str = "4242424242424242";

/// Waits until completed orders have earned points and messages, and checks that each did so once.
async fn assert_rewarded_once(ada: &Consumer, orders: &[String], points_each: i64) {
    let due = points_each * i64::try_from(orders.len()).unwrap();
    eventually("points were added", async || {
        let points = ada.points().await;
        if points == due {
            Ok(())
        } else {
            Err(format!("{points} instead of {due}"))
        }
    })
    .await;
    for order in orders {
        eventually("the inbox message was added", async || {
            let messages = ada.message_kinds(order).await;
            if messages.iter().any(|kind| kind == "points_earned") {
                Ok(())
            } else {
                Err(format!("{messages:?}"))
            }
        })
        .await;
    }
    ada.assert_consistent().await;
    assert_eq!(ada.points().await, due);
    for order in orders {
        assert_eq!(ada.message_kinds(order).await, ["points_earned"]);
    }
}

/// Points of one Latte.
async fn points(ada: &Consumer, order: &str) -> i64 {
    ada.order(order).await.data()["points"].as_i64().unwrap()
}

#[tokio::test]
async fn orders_are_accepted_without_a_broker_and_events_take_effect_once() {
    let stack = exclusive_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (card, joepass) = (ada.with_card(CARD).await, ada.with_joepass(10_000).await);
    stack.set_fault_to("rabbitmq", Some(Fault::Cut));
    let mut made = Vec::new();
    for tender in [&card, &joepass, &card, &joepass] {
        let order = ada.place_order("Latte", &store, tender).await;
        store.make(&order).await;
        made.push(order);
    }
    let cancelled = ada.place_order("Latte", &store, &card).await;
    ada.cancel(&cancelled).await.data();
    let rejected = ada.place_order("Latte", &store, &joepass).await;
    store.reject(&rejected).await.data();
    // No event has been delivered yet.
    assert_eq!(ada.points().await, 0);
    let intents = stack.sandbox().intents(&made[0]).await;
    assert_eq!(intents[0]["status"], "requires_capture");

    stack.set_fault_to("rabbitmq", None);
    let each = points(&ada, &made[0]).await;
    assert_rewarded_once(&ada, &made, each).await;
    let messages = eventually("the rejection message was added", async || {
        let messages = ada.message_kinds(&rejected).await;
        if messages.is_empty() {
            Err("not yet")
        } else {
            Ok(messages)
        }
    })
    .await;
    assert_eq!(messages, ["order_rejected"]);
    assert!(
        ada.message_kinds(&cancelled).await.is_empty(),
        "no message about an own cancellation"
    );
    outboxes_are_empty(stack.stack).await;
}

/// Waits until all outboxes are empty.
async fn outboxes_are_empty(stack: &Stack) {
    for service in ["ordering", "payments", "gift-cards", "rewards", "stores"] {
        eventually(&format!("the outbox of {service} is empty"), async || {
            let waiting: i64 = sqlx::query_scalar("SELECT count(*) FROM outbox")
                .fetch_one(&mut stack.database(service).await)
                .await
                .unwrap();
            if waiting == 0 {
                Ok(())
            } else {
                Err(format!("{waiting} rows"))
            }
        })
        .await;
    }
}

/// Completes a card and a stored-value order while `service` is killed at a fault point and restarted.
async fn complete_orders_despite_crash(stack: &'static Stack, service: &str, fault_point: &str) {
    let (ada, store) = (stack.consumer().await, stack.store());
    let (card, joepass) = (ada.with_card(CARD).await, ada.with_joepass(10_000).await);
    stack.set_fault_point(service, fault_point).await;
    let first = place_order(&ada, &store, &card).await;
    let second = place_order(&ada, &store, &joepass).await;
    stack.arm();
    // If ordering is killed, the remaining steps are done after its restart.
    let _interrupted = store.accept(&first).await;
    let _interrupted = store.accept(&second).await;
    stack.program(service).ended().await;
    stack.restart(service, &[]).await;
    for order in [&first, &second] {
        for step in ["accept", "start", "ready", "complete"] {
            eventually(&format!("{step} {order}"), async || {
                let reply = store.advance(order, step).await;
                let is_already_accepted = step == "accept" && reply.body["reason"] == "ORDER_ACCEPTED";
                if reply.status.is_success() || is_already_accepted {
                    Ok(())
                } else {
                    Err(reply.body.to_string())
                }
            })
            .await;
        }
    }
    let each = points(&ada, &first).await;
    assert_rewarded_once(&ada, &[first, second], each).await;
    outboxes_are_empty(stack).await;
}

async fn place_order(ada: &Consumer, store: &Store, tender: &Tender) -> String {
    let checkout = ada.draft_order("Latte", store, tender).priced().await;
    checkout.place_until_final().await.order()
}

macro_rules! crash_tests {
    ($($test:ident: $service:literal at $place:literal;)*) => {$(
        #[tokio::test]
        async fn $test() {
            let stack = exclusive_stack().await;
            complete_orders_despite_crash(stack.stack, $service, $place).await;
        }
    )*};
}

crash_tests! {
    events_take_effect_once_if_ordering_is_killed_before_it_publishes: "ordering" at "relay.publish";
    events_take_effect_once_if_ordering_is_killed_after_a_confirmation: "ordering" at "relay.confirmed";
    events_take_effect_once_if_payments_is_killed_before_it_acknowledges: "payments" at "consumer.committed";
    events_take_effect_once_if_gift_cards_is_killed_before_it_acknowledges: "gift-cards" at "consumer.committed";
}

#[tokio::test]
async fn events_take_effect_once_if_rewards_is_killed_before_it_acknowledges() {
    let stack = exclusive_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    stack.set_fault_point("rewards", "consumer.committed").await;
    let order = place_order(&ada, &store, &joepass).await;
    stack.arm();
    store.make(&order).await;
    stack.program("rewards").ended().await;
    stack.restart("rewards", &[]).await;
    let each = points(&ada, &order).await;
    assert_rewarded_once(&ada, &[order], each).await;
    outboxes_are_empty(stack.stack).await;
}
