//! Changes of a store while consumers order: sold out, closed, hours changed.

use serde_json::{Value, json};

use crate::{
    harness::{Consumer, Stack, Store, Tender, eventually, exclusive_stack, now, shared_stack},
    metrics::UNWRITABLE,
};

impl Store {
    /// Closes the store on a day, and returns the response.
    async fn close_on(&self, day: &str) -> Value {
        let body = json!({ "day": day, "name": "Holiday", "openings": [] });
        let reply = self
            .post(&format!("stores/{}/special-day", self.id), Some(body))
            .await;
        reply.data().clone()
    }

    async fn set_sold_out(&self, item: &Value, sold_out: bool) {
        let body = json!({ "subject": "item", "id": item, "soldOut": sold_out });
        let path = format!("stores/{}/availability", self.id);
        self.post(&path, Some(body)).await.data();
    }
}

/// Returns the times to choose from, and the time zone of the store.
async fn pickup_times(ada: &Consumer, store: &Store) -> (Vec<String>, String) {
    let options = ada
        .get(&format!("store/pickup-options?storeId={}", store.id))
        .await;
    let slots = options.data()["slots"].as_array().unwrap();
    let slots = slots
        .iter()
        .map(|slot| slot.as_str().unwrap().to_owned())
        .collect();
    (slots, options.data()["timeZone"].as_str().unwrap().to_owned())
}

/// Places an order that is scheduled at a time, and returns its id.
async fn schedule_order(ada: &Consumer, store: &Store, tender: &Tender, at: &str) -> String {
    let checkout = ada.draft_order("Latte", store, tender).priced().await;
    let scheduled = checkout
        .with("cart/schedule", json!(at))
        .with("expectedReadyAt", json!(at));
    let placed = scheduled.place_until_final().await;
    assert_eq!(placed.order_status(), "Scheduled", "{}", placed.body);
    placed.order()
}

fn local_day(at: &str, zone: &str) -> String {
    let at: jiff::Timestamp = at.parse().unwrap();
    at.in_tz(zone).unwrap().date().to_string()
}

#[tokio::test]
async fn an_item_that_is_withdrawn_while_in_the_cart_is_rejected_and_nothing_is_held() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let checkout = ada.draft_order("Latte", &store, &joepass).priced().await;
    let item = checkout.body["cart"]["items"][0]["itemId"].clone();
    store.set_sold_out(&item, true).await;
    let rejected = checkout.place().await;
    assert_eq!(rejected.error_reason(422), "ITEM_SOLD_OUT");
    assert_eq!(ada.joepass().await, (5_000, 0));
    assert!(store.queue().await.is_empty());

    store.set_sold_out(&item, false).await;
    assert_eq!(checkout.with_new_key().place().await.order_status(), "Placed");
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_store_that_closes_between_pricing_and_placing_rejects_the_order() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(5_000).await;
    let checkout = ada.draft_order("Latte", &store, &joepass).priced().await;
    let (times, zone) = pickup_times(&ada, &store).await;
    // The first time is tomorrow if the test runs just before midnight.
    for at in [now(), now() + jiff::SignedDuration::from_hours(24)] {
        store.close_on(&local_day(&at.to_string(), &zone)).await;
    }
    assert_eq!(checkout.place().await.error_reason(409), "STORE_CLOSED");
    let holiday = checkout
        .with_new_key()
        .with("cart/schedule", json!(times[0]))
        .with("expectedReadyAt", json!(times[0]));
    assert_eq!(holiday.place().await.error_reason(422), "PICKUP_TIME_INVALID");
    assert_eq!(ada.joepass().await, (5_000, 0));
    ada.assert_consistent().await;
}

#[tokio::test]
async fn orders_scheduled_on_a_new_holiday_are_listed_and_moved_or_rejected() {
    let stack = shared_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let joepass = ada.with_joepass(10_000).await;
    let (times, zone) = pickup_times(&ada, &store).await;
    let last = times.last().unwrap();
    let day = local_day(last, &zone);
    let mut orders = Vec::new();
    for _ in 0..2 {
        orders.push(schedule_order(&ada, &store, &joepass, last).await);
    }
    let changed = store.close_on(&day).await;
    let listed = changed["scheduled"]["orders"].as_array().unwrap();
    assert_eq!(listed.len(), 2);
    assert!(listed.iter().all(|order| order["isOutsideHours"] == true));
    ada.order(&orders[0]).await.data();

    // One order moves to another day, and the consumer sees the time and the reason.
    let other = times.iter().find(|at| local_day(at, &zone) != day).unwrap();
    let body = json!({ "readyAt": other, "reason": "We are closed that day." });
    let path = format!("orders/{}/reschedule", orders[0]);
    let moved = store.post(&path, Some(body.clone())).await;
    assert_eq!(moved.data()["eta"]["readyAt"], json!(other), "{}", moved.body);
    assert_eq!(
        store.post(&path, Some(body)).await.data()["version"],
        moved.data()["version"]
    );
    let seen = ada.order(&orders[0]).await;
    assert_eq!(seen.data()["eta"]["readyAt"], json!(other));
    assert_eq!(seen.data()["delayReason"], "We are closed that day.");
    let message = async || {
        let kinds = ada.message_kinds(&orders[0]).await;
        kinds
            .iter()
            .any(|kind| kind == "order_delayed")
            .then_some(())
            .ok_or("no message")
    };
    eventually("the consumer is notified", message).await;

    // The closed day has no time, and the other order is rejected and released.
    let closed = json!({ "readyAt": last });
    let rejected = store
        .post(&format!("orders/{}/reschedule", orders[0]), Some(closed))
        .await;
    assert_eq!(rejected.error_reason(422), "PICKUP_TIME_INVALID");
    store.reject(&orders[1]).await.data();
    ada.wait_for_status(&orders[1], "Rejected").await;
    let path = format!("stores/{}/scheduled-orders", store.id);
    let listed = store.try_send(reqwest::Method::GET, &path, None);
    let listed = listed.await.unwrap();
    let listed = listed.data()["orders"].as_array().unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0]["isOutsideHours"], false);
}

/// Waits until the notification about an order has this state and number of attempts or more.
async fn notification_becomes(stack: &Stack, order: &str, state: &str, min_attempts: i32) {
    eventually("the notification changes", async || {
        let notification: Option<(String, String, i32)> =
            sqlx::query_as("SELECT template, state, attempts FROM notifications WHERE order_id = $1")
                .bind(order)
                .fetch_optional(&mut stack.database("accounts").await)
                .await
                .unwrap();
        match notification {
            Some((template, found, attempts)) if found == state && attempts >= min_attempts => {
                assert_eq!(template, "order_delayed");
                Ok(())
            }
            other => Err(format!("{other:?}")),
        }
    })
    .await;
}

#[tokio::test]
async fn a_changed_time_that_could_not_be_sent_is_not_sent_after_the_consumer_canceled() {
    let stack = exclusive_stack().await;
    let stack: &'static Stack = stack.stack;
    let (ada, store) = (stack.consumer().await, stack.store());
    sqlx::query("UPDATE consumers SET notify_by_sms = true WHERE id = $1")
        .bind(ada.id.uuid())
        .execute(&mut stack.database("accounts").await)
        .await
        .unwrap();
    let joepass = ada.with_joepass(10_000).await;
    let (times, _) = pickup_times(&ada, &store).await;
    let [.., other, last] = times.as_slice() else {
        panic!("too few times")
    };
    let order = schedule_order(&ada, &store, &joepass, last).await;
    stack.restart("accounts", &[("SMS_FILE", UNWRITABLE)]).await;
    let path = format!("orders/{order}/reschedule");
    let moved = store.post(&path, Some(json!({ "readyAt": other }))).await;
    moved.data();
    notification_becomes(stack, &order, "queued", 1).await;

    assert_eq!(ada.cancel(&order).await.order_status(), "Cancelled");
    eventually("accounts receives the cancellation", async || {
        let is_recorded: bool =
            sqlx::query_scalar("SELECT EXISTS (SELECT FROM canceled_orders WHERE order_id = $1)")
                .bind(&order)
                .fetch_one(&mut stack.database("accounts").await)
                .await
                .unwrap();
        is_recorded.then_some(()).ok_or("not recorded")
    })
    .await;
    // A process that is killed can be sending the text, which is not repeated then.
    assert!(stack.program("accounts").stop().await.success());
    stack.restart("accounts", &[]).await;
    notification_becomes(stack, &order, "withheld", 2).await;
}

/// Returns the ready time of an order's reservation.
async fn reserved_time(stack: &Stack, order: &str) -> String {
    let id: types::OrderId = order.parse().unwrap();
    sqlx::query_scalar("SELECT to_char(ready_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') FROM reservations WHERE order_id = $1")
        .bind(id.uuid())
        .fetch_one(&mut stack.database("stores").await)
        .await
        .unwrap()
}

/// Moves a scheduled order while `service` is killed at `fault_point`, after the reservation was moved.
async fn move_order_despite_crash_of(service: &str, fault_point: &str) {
    let stack = exclusive_stack().await;
    let (ada, store) = (stack.stack.consumer().await, stack.stack.store());
    let joepass = ada.with_joepass(10_000).await;
    let (times, _) = pickup_times(&ada, &store).await;
    let [.., other, last] = times.as_slice() else {
        panic!("too few times")
    };
    let order = schedule_order(&ada, &store, &joepass, last).await;
    stack.stack.set_fault_point(service, fault_point).await;
    stack.stack.arm();
    let body = json!({ "readyAt": other, "reason": "The oven is late." });
    let path = format!("orders/{order}/reschedule");
    let restart = async {
        stack.stack.program(service).ended().await;
        stack.stack.restart(service, &[]).await;
    };
    let (_interrupted, ()) = tokio::join!(store.post(&path, Some(body.clone())), restart);
    eventually("the move is completed", async || {
        let order = ada.order(&order).await;
        if order.data()["eta"]["readyAt"] == json!(other) {
            Ok(())
        } else {
            Err(order.body.to_string())
        }
    })
    .await;
    assert_eq!(reserved_time(stack.stack, &order).await, *other);
    let version = ada.order(&order).await.data()["version"].clone();
    let repeated = store.post(&path, Some(body)).await;
    assert_eq!(repeated.data()["version"], version);
    store.reject(&order).await.data();
    ada.wait_for_status(&order, "Rejected").await;
    ada.assert_consistent().await;
}

#[tokio::test]
async fn a_crash_after_the_reservation_was_moved_completes_the_move() {
    move_order_despite_crash_of("ordering", "reschedule.moved").await;
}

#[tokio::test]
async fn a_crash_of_stores_after_it_moved_a_reservation_completes_the_move() {
    move_order_despite_crash_of("stores", "capacity.moved").await;
}
