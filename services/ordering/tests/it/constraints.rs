use ordering::domain::{
    order::{Order, OrderRecord, Placement},
    pricing::Totals,
    status::Status,
};
use types::Money;

use crate::harness::Harness;

fn constraint(outcome: Result<(), sqlx::Error>) -> String {
    let Err(sqlx::Error::Database(error)) = outcome else {
        return "none".to_owned();
    };
    error.constraint().unwrap_or("unnamed").to_owned()
}

#[tokio::test]
async fn a_cart_has_at_most_one_order_that_has_not_failed() {
    let harness = Harness::new().await;
    let same_cart = |first: &OrderRecord| {
        let second = harness.record(Status::PaymentPending);
        OrderRecord {
            order: Order {
                consumer_id: first.order.consumer_id,
                cart_id: first.order.cart_id.clone(),
                ..second.order
            },
            placement: second.placement,
        }
    };
    let placed = harness.insert_order(Status::Placed).await;
    assert_eq!(
        constraint(harness.insert(&same_cart(&placed)).await),
        "orders_cart_key"
    );
    let completed = harness.insert_order(Status::Completed).await;
    assert_eq!(
        constraint(harness.insert(&same_cart(&completed)).await),
        "orders_cart_key"
    );
    for status in [Status::PaymentFailed, Status::Cancelled, Status::Rejected] {
        let ended = harness.insert_order(status).await;
        harness.insert(&same_cart(&ended)).await.unwrap();
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn an_idempotency_key_creates_at_most_one_order() {
    let harness = Harness::new().await;
    let first = harness.insert_order(Status::PaymentFailed).await;
    let second = harness.record(Status::PaymentPending);
    let same_key = OrderRecord {
        order: Order {
            consumer_id: first.order.consumer_id,
            ..second.order
        },
        placement: Placement {
            idempotency_key: first.placement.idempotency_key,
            ..second.placement
        },
    };
    assert_eq!(
        constraint(harness.insert(&same_key).await),
        "orders_idempotency_key"
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn orders_with_inconsistent_amounts_are_rejected() {
    let harness = Harness::new().await;
    let with_totals = |change: fn(&mut Totals)| {
        let mut record = harness.record(Status::Placed);
        change(&mut record.order.totals);
        record
    };
    let wrong_total = with_totals(|totals| totals.total = Money::usd(1241));
    let wrong_discount = with_totals(|totals| {
        totals.discount = Money::usd(951);
        totals.total = Money::usd(289);
    });
    for (record, expected) in [
        (wrong_total, "orders_total_check"),
        (wrong_discount, "orders_discount_check"),
    ] {
        assert_eq!(constraint(harness.insert(&record).await), expected);
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn unknown_texts_and_versions_are_rejected() {
    let harness = Harness::new().await;
    harness.insert_order(Status::Placed).await;
    for (update, expected) in [
        ("orders SET status = 'lost'", "orders_status_check"),
        ("orders SET tender = 'cash'", "orders_tender_check"),
        ("orders SET pickup = 'drone'", "orders_pickup_check"),
        (
            "orders SET tender = 'card', stored_value_amount = total",
            "orders_stored_value_check",
        ),
        ("orders SET stored_value_amount = 1", "orders_stored_value_check"),
        ("orders SET version = 0", "orders_version_check"),
        ("order_history SET actor = 'courier'", "order_history_actor_check"),
    ] {
        let statement = sqlx::AssertSqlSafe(format!("UPDATE {update}"));
        let outcome = sqlx::query(statement).execute(&harness.cx.pool).await;
        assert_eq!(constraint(outcome.map(drop)), expected);
    }
    harness.database.drop().await;
}
