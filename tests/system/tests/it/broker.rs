//! The broker away, and processes killed around each publish and acknowledgement: every event has its effect once.

use crate::harness::{Consumer, Stack, Store, Tender, eventually, own};

const CARD: &str = "4242424242424242";

/// Waits until an order that was picked up has had every effect; then there is one of each.
async fn rewarded_once(ada: &Consumer, orders: &[String], points_each: i64) {
    let due = points_each * i64::try_from(orders.len()).unwrap();
    eventually("the points are there", async || {
        let points = ada.points().await;
        if points == due {
            Ok(())
        } else {
            Err(format!("{points} instead of {due}"))
        }
    })
    .await;
    for order in orders {
        eventually("the inbox says so", async || {
            let told = ada.message_kinds(order).await;
            if told.len() >= 2 {
                Ok(())
            } else {
                Err(format!("{told:?}"))
            }
        })
        .await;
    }
    ada.assert_consistent().await;
    assert_eq!(ada.points().await, due);
    for order in orders {
        let mut told = ada.message_kinds(order).await;
        told.sort();
        assert_eq!(told, ["order_ready", "points_earned"]);
    }
}

/// Points of one Latte.
async fn points(ada: &Consumer, order: &str) -> i64 {
    ada.order(order).await.data()["points"].as_i64().unwrap()
}

#[tokio::test]
async fn orders_come_in_while_the_broker_is_away_and_every_event_arrives_once_in_effect() {
    let own = own().await;
    let (ada, store) = (own.consumer().await, own.store());
    let (card, joepass) = (ada.with_card(CARD).await, ada.with_joepass(10_000).await);
    own.broker_proxy.cut();
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
    // Nothing has been heard of any of it.
    assert_eq!(ada.points().await, 0);
    let intents = own.sandbox().intents(&made[0]).await;
    assert_eq!(intents[0]["status"], "requires_capture");

    own.broker_proxy.restore();
    let each = points(&ada, &made[0]).await;
    rewarded_once(&ada, &made, each).await;
    let told = eventually("the rejection is told", async || {
        let told = ada.message_kinds(&rejected).await;
        if told.is_empty() { Err("not yet") } else { Ok(told) }
    })
    .await;
    assert_eq!(told, ["order_rejected"]);
    assert!(
        ada.message_kinds(&cancelled).await.is_empty(),
        "who cancelled knows"
    );
    outboxes_are_empty(own.stack).await;
}

/// No outbox keeps anything.
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
                Err(format!("{waiting} wait"))
            }
        })
        .await;
    }
}

/// Makes an order of each kind while `service` dies at `place` on the way, and is started again.
async fn survives(stack: &'static Stack, service: &str, place: &str) {
    let (ada, store) = (stack.consumer().await, stack.store());
    let (card, joepass) = (ada.with_card(CARD).await, ada.with_joepass(10_000).await);
    stack.set_fault_point(service, place).await;
    let first = order(&ada, &store, &card).await;
    let second = order(&ada, &store, &joepass).await;
    stack.arm();
    // Ordering itself may be the one that dies: then the rest is done once it is back.
    let _cut_off = store.accept(&first).await;
    let _cut_off = store.accept(&second).await;
    stack.program(service).ended().await;
    stack.restart(service, &[]).await;
    for order in [&first, &second] {
        for step in ["accept", "start", "ready", "complete"] {
            eventually(&format!("{step} {order}"), async || {
                let reply = store.advance(order, step).await;
                let past = step == "accept" && reply.body["reason"] == "ORDER_ACCEPTED";
                if reply.status.is_success() || past {
                    Ok(())
                } else {
                    Err(reply.body.to_string())
                }
            })
            .await;
        }
    }
    let each = points(&ada, &first).await;
    rewarded_once(&ada, &[first, second], each).await;
    outboxes_are_empty(stack).await;
}

async fn order(ada: &Consumer, store: &Store, tender: &Tender) -> String {
    let checkout = ada.draft_order("Latte", store, tender).priced().await;
    checkout.place_until_final().await.order()
}

macro_rules! survives {
    ($($test:ident: $service:literal at $place:literal;)*) => {$(
        #[tokio::test]
        async fn $test() {
            let own = own().await;
            survives(own.stack, $service, $place).await;
        }
    )*};
}

survives! {
    ordering_is_killed_before_it_publishes: "ordering" at "relay.publish";
    ordering_is_killed_after_a_confirmation: "ordering" at "relay.confirmed";
    payments_is_killed_before_it_acknowledges: "payments" at "consumer.committed";
    gift_cards_is_killed_before_it_acknowledges: "gift-cards" at "consumer.committed";
}

#[tokio::test]
async fn rewards_is_killed_before_it_acknowledges() {
    let own = own().await;
    let (ada, store) = (own.consumer().await, own.store());
    let joepass = ada.with_joepass(5_000).await;
    own.set_fault_point("rewards", "consumer.committed").await;
    let order = order(&ada, &store, &joepass).await;
    own.arm();
    store.make(&order).await;
    own.program("rewards").ended().await;
    own.restart("rewards", &[]).await;
    let each = points(&ada, &order).await;
    rewarded_once(&ada, &[order], each).await;
    outboxes_are_empty(own.stack).await;
}
