use kit::idempotency::{self, IdempotencyState, Key};
use ordering::{
    domain::{cart::CartDraft, line::OrderLine, order::OrderRecord, place_order::PlaceOrder, status::Status},
    ops::{
        forget_consumer::erase_late_data, get_cart::get_cart, recover::recover_orders, save_cart::save_cart,
        send_user_feedback::send_user_feedback,
    },
};
use proto::accounts::v1::{ConsumerEvent, ConsumerRemoved, consumer_event::Change};
use types::ConsumerId;

use crate::{
    harness::{Harness, line},
    place_order::Checkout,
};

pub fn removed(consumer_id: ConsumerId) -> ConsumerEvent {
    ConsumerEvent {
        consumer_id: consumer_id.to_string(),
        change: Some(Change::Removed(ConsumerRemoved {})),
        ..ConsumerEvent::default()
    }
}

/// Returns a request with personal data.
pub fn personal_command(checkout: &Checkout) -> PlaceOrder {
    let mut command = checkout.command("cart");
    "blue Golf".clone_into(&mut command.vehicle);
    "Maya".clone_into(&mut command.pickup_name);
    "for Maya".clone_into(&mut command.cart.lines[0].note);
    command
}

/// Makes the second erasure of all removed consumers due. It uses the database's clock, which tests cannot set.
pub async fn pass_time_until_erasure(harness: &Harness) {
    sqlx::query("UPDATE removed_consumers SET erase_again_at = erase_again_at - interval '5 minutes'")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
}

/// Returns the rows that contain what the consumer entered.
pub async fn personal_rows(harness: &Harness) -> Vec<String> {
    let rows: Vec<String> = sqlx::query_scalar(
        "SELECT row FROM (
           SELECT orders::text AS row FROM orders
           UNION ALL SELECT encode(response, 'escape') FROM idempotency WHERE response IS NOT NULL
           UNION ALL SELECT saved_carts::text FROM saved_carts
           UNION ALL SELECT user_feedback::text FROM user_feedback
         ) AS stored WHERE row LIKE '%Maya%' OR row LIKE '%Golf%'",
    )
    .fetch_all(&harness.cx.pool)
    .await
    .unwrap();
    rows
}

#[tokio::test]
async fn removing_a_consumer_erases_personal_data_and_keeps_amounts() {
    let harness = Harness::new().await;
    let mut record = harness.record(Status::Completed);
    let lines = ["for Maya", "extra hot"].map(|note| OrderLine {
        note: note.to_owned(),
        ..line()
    });
    record.order.lines = lines.to_vec();
    harness.insert(&record).await.unwrap();
    let scope = record.order.consumer_id.to_string();
    let key = Key {
        scope: &scope,
        operation: PlaceOrder::OPERATION,
        key: &record.placement.idempotency_key,
    };
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    assert!(idempotency::start(&mut conn, key, b"hash").await.unwrap());
    idempotency::finish(&mut conn, key, b"a response with a name in it")
        .await
        .unwrap();
    harness.consume(&removed(record.order.consumer_id)).await;
    assert_eq!(
        idempotency::find(&mut conn, key, b"hash").await.unwrap(),
        IdempotencyState::New
    );
    drop(conn);
    let order = harness.find(record.order.id).await.order;
    assert_eq!((order.vehicle.as_str(), order.pickup_name.as_str()), ("", ""));
    assert_eq!(order.lines, [line(), line()], "the same lines without notes");
    assert_eq!(order.totals, record.order.totals);
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_that_is_being_placed_during_the_removal_is_closed_and_leaves_no_personal_data() {
    for waits_at in ["HoldValue", "ReserveCapacity"] {
        let checkout = Checkout::new().await;
        let harness = &checkout.harness;
        let held = checkout.services.hold(waits_at);
        let placing = checkout.spawn_place(personal_command(&checkout));
        checkout.services.wait_for_calls(waits_at, 1).await;
        assert_eq!(personal_rows(harness).await.len(), 1);

        harness.consume(&removed(checkout.consumer_id)).await;
        drop(held);
        assert_eq!(
            placing.await.unwrap().unwrap_err().reason,
            "UNAUTHENTICATED",
            "{waits_at}"
        );
        assert_eq!(recover_orders(&harness.cx).await.unwrap(), 1);
        let statuses: Vec<String> = sqlx::query_scalar("SELECT status FROM orders")
            .fetch_all(&harness.cx.pool)
            .await
            .unwrap();
        assert_eq!(statuses, ["payment_failed"]);
        assert_eq!(personal_rows(harness).await, [""; 0]);
        let services = &checkout.services;
        assert_eq!(
            (services.count("CloseHold"), services.count("ReleaseCapacity")),
            (1, 1)
        );
        assert_eq!(
            harness.database.outbox_event_types().await,
            ["ordering.OrderAbandoned"]
        );
        checkout.harness.database.drop().await;
    }
}

#[tokio::test]
async fn an_order_that_waits_for_authentication_is_closed_by_the_removal() {
    let checkout = Checkout::new().await;
    let harness = &checkout.harness;
    let record = harness.insert_waiting_order(|_| {}).await;
    harness.consume(&removed(record.order.consumer_id)).await;
    assert_eq!(recover_orders(&harness.cx).await.unwrap(), 1);
    assert_eq!(harness.status(record.order.id).await, Status::PaymentFailed);
    assert_eq!(checkout.services.count("CloseCharge"), 1);
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn requests_after_the_removal_write_nothing() {
    let checkout = Checkout::new().await;
    let harness = &checkout.harness;
    // The event can be delivered twice.
    for _ in 0..2 {
        harness.consume(&removed(checkout.consumer_id)).await;
    }
    let command = personal_command(&checkout);
    let cart: CartDraft = command.cart.clone();
    assert_eq!(
        checkout.place(command).await.unwrap_err().reason,
        "UNAUTHENTICATED"
    );
    save_cart(&harness.cx, checkout.consumer_id, Some(cart))
        .await
        .unwrap();
    assert_eq!(get_cart(&harness.cx, checkout.consumer_id).await.unwrap(), None);
    send_user_feedback(&harness.cx, checkout.consumer_id, "Maya says thanks")
        .await
        .unwrap();
    assert_eq!(personal_rows(harness).await, [""; 0]);
    assert_eq!(checkout.count_orders().await, 0);
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn what_a_request_writes_at_the_time_of_the_removal_is_erased_later() {
    let checkout = Checkout::new().await;
    let harness = &checkout.harness;
    let record: OrderRecord = harness.record(Status::PaymentPending);
    let consumer_id = record.order.consumer_id;
    // The transaction ends after the removal, and neither sees what the other one writes.
    let mut tx = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    harness.insert_within(&mut tx, &record).await.unwrap();
    harness.consume(&removed(consumer_id)).await;
    tx.commit().await.unwrap();
    erase_late_data(&harness.cx).await.unwrap();
    assert_eq!(personal_rows(harness).await.len(), 1, "not due yet");

    let is_placed = harness.place(&record).await;
    assert!(!is_placed, "orders of removed consumers are not placed");
    pass_time_until_erasure(harness).await;
    erase_late_data(&harness.cx).await.unwrap();
    assert_eq!(personal_rows(harness).await, [""; 0]);
    assert_eq!(recover_orders(&harness.cx).await.unwrap(), 1);
    assert_eq!(harness.status(record.order.id).await, Status::PaymentFailed);
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn an_erasure_that_fails_delays_no_other_and_is_repeated() {
    let checkout = Checkout::new().await;
    let harness = &checkout.harness;
    let records = [(); 3].map(|()| harness.record(Status::PaymentPending));
    for record in &records {
        let mut tx = kit::postgres::begin(&harness.cx.pool).await.unwrap();
        harness.insert_within(&mut tx, record).await.unwrap();
        harness.consume(&removed(record.order.consumer_id)).await;
        tx.commit().await.unwrap();
    }
    let failing = format!(
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'failed'; END $$;
         CREATE TRIGGER fail BEFORE UPDATE ON orders FOR EACH ROW WHEN (OLD.id = '{}') EXECUTE FUNCTION fail();",
        records[0].order.id.uuid()
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(failing))
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    pass_time_until_erasure(harness).await;
    erase_late_data(&harness.cx).await.unwrap();
    assert_eq!(personal_rows(harness).await.len(), 1);

    sqlx::raw_sql("DROP TRIGGER fail ON orders")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    pass_time_until_erasure(harness).await;
    erase_late_data(&harness.cx).await.unwrap();
    assert_eq!(personal_rows(harness).await, [""; 0]);
    checkout.harness.database.drop().await;
}
