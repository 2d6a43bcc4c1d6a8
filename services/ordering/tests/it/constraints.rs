use ordering::db::orders::Row;

use crate::harness::Harness;

fn constraint(outcome: Result<(), sqlx::Error>) -> String {
    let Err(sqlx::Error::Database(error)) = outcome else {
        return "none".to_owned();
    };
    error.constraint().unwrap_or("unnamed").to_owned()
}

#[tokio::test]
async fn a_cart_becomes_one_order_unless_that_failed() {
    let harness = Harness::new().await;
    let first = harness.order("placed").await;
    let again = |status: &str, from: &Row| Row {
        cart_id: from.cart_id.clone(),
        consumer_id: from.consumer_id,
        ..harness.row(status)
    };
    assert_eq!(
        constraint(harness.insert(&again("payment_pending", &first)).await),
        "orders_cart_key"
    );
    let failed = harness.order("payment_failed").await;
    harness.insert(&again("payment_pending", &failed)).await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn the_database_refuses_orders_that_do_not_add_up() {
    let harness = Harness::new().await;
    let row = || harness.row("placed");
    let wrong = [
        (Row { total: 1241, ..row() }, "orders_total_check"),
        (
            Row {
                discount: 951,
                total: 289,
                ..row()
            },
            "orders_discount_check",
        ),
        (
            Row {
                status: "lost".to_owned(),
                ..row()
            },
            "orders_status_check",
        ),
        (
            Row {
                tender: "cash".to_owned(),
                ..row()
            },
            "orders_tender_check",
        ),
        (
            Row {
                pickup: "drone".to_owned(),
                ..row()
            },
            "orders_pickup_check",
        ),
        (Row { version: 0, ..row() }, "orders_version_check"),
    ];
    for (row, expected) in wrong {
        assert_eq!(constraint(harness.insert(&row).await), expected);
    }
    let first = harness.order("placed").await;
    let same_key = Row {
        idempotency_key: first.idempotency_key,
        consumer_id: first.consumer_id,
        ..row()
    };
    assert_eq!(
        constraint(harness.insert(&same_key).await),
        "orders_idempotency_key"
    );
    harness.database.drop().await;
}
