//! The secret with which the page authenticates a payment: payments returns it, and no table contains it.

use ordering::{
    ClientSecrets, Ordering,
    domain::{order::OrderDetails, place_order::PlaceOrder, status::Status, tender::Tender},
    ops::{get_order::get_order, list_active_orders::list_active_orders},
};
use proto::payments::v1::ChargeState;

use crate::{fake_services::CLIENT_SECRET, place_order::Checkout};

/// Places an order that waits for the consumer's authentication.
async fn place_waiting(checkout: &Checkout) -> OrderDetails {
    checkout
        .services
        .on_charge("AuthorizeCharge", ChargeState::RequiresAction);
    checkout
        .services
        .on_charge("RefreshCharge", ChargeState::RequiresAction);
    checkout.place(card(checkout)).await.unwrap()
}

fn card(checkout: &Checkout) -> PlaceOrder {
    PlaceOrder {
        tender: Tender::Card,
        payment_method_id: "pay_1".into(),
        ..checkout.command("cart")
    }
}

/// The context of another process, which knows only what the database contains.
fn restarted(cx: &Ordering) -> Ordering {
    Ordering {
        client_secrets: ClientSecrets::default(),
        ..cx.clone()
    }
}

/// Returns the tables with a row that contains a text.
async fn tables_with(cx: &Ordering, text: &str) -> Vec<String> {
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT oid::regclass::text FROM pg_class
         WHERE relkind = 'r' AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')",
    )
    .fetch_all(&cx.pool)
    .await
    .unwrap();
    let mut found = Vec::new();
    for table in tables {
        let statement =
            format!("SELECT EXISTS (SELECT FROM {table} AS searched WHERE strpos(searched::text, $1) > 0)");
        let contains: bool = sqlx::query_scalar(sqlx::AssertSqlSafe(statement))
            .bind(text)
            .fetch_one(&cx.pool)
            .await
            .unwrap();
        if contains {
            found.push(table);
        }
    }
    found
}

#[tokio::test]
async fn no_table_contains_the_secret_of_an_order_that_waits_for_authentication() {
    let checkout = Checkout::new().await;
    let placed = place_waiting(&checkout).await;
    assert_eq!(
        (placed.order.status, placed.order.client_secret.as_str()),
        (Status::PaymentPending, CLIENT_SECRET)
    );
    let cx = &checkout.harness.cx;
    assert_eq!(tables_with(cx, CLIENT_SECRET).await, Vec::<String>::new());
    assert!(
        tables_with(cx, &placed.order.cart_id)
            .await
            .contains(&"orders".to_owned())
    );
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn the_page_gets_the_secret_again_after_it_was_reloaded() {
    let checkout = Checkout::new().await;
    let placed = place_waiting(&checkout).await;
    let (consumer_id, order_id) = (checkout.consumer_id, placed.order.id);
    let cx = restarted(&checkout.harness.cx);
    let again = get_order(&cx, consumer_id, order_id).await.unwrap();
    assert_eq!(again.order.client_secret, CLIENT_SECRET);
    let [active] = &list_active_orders(&cx, consumer_id, None).await.unwrap()[..] else {
        panic!("no active order")
    };
    assert_eq!(active.order.client_secret, CLIENT_SECRET);
    assert_eq!(
        checkout.services.count("RefreshCharge"),
        1,
        "the second time it is known"
    );
    let resumed = checkout.place(card(&checkout)).await.unwrap();
    assert_eq!(resumed.order.client_secret, CLIENT_SECRET);
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn an_order_that_waits_is_shown_without_its_secret_while_payments_is_down() {
    let checkout = Checkout::new().await;
    let placed = place_waiting(&checkout).await;
    checkout
        .services
        .on_error("RefreshCharge", kit::ServiceError::unavailable);
    let cx = restarted(&checkout.harness.cx);
    let shown = get_order(&cx, checkout.consumer_id, placed.order.id)
        .await
        .unwrap();
    assert_eq!(
        (shown.order.status, shown.order.client_secret.as_str()),
        (Status::PaymentPending, "")
    );
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn an_order_that_the_previous_release_let_wait_is_resumed() {
    let checkout = Checkout::new().await;
    let placed = place_waiting(&checkout).await;
    sqlx::query("UPDATE orders SET awaits_authentication = false, client_secret = 'secret of a charge'")
        .execute(&checkout.harness.cx.pool)
        .await
        .unwrap();
    checkout
        .services
        .on_charge("RefreshCharge", ChargeState::Authorized);
    let resumed = checkout.place(card(&checkout)).await.unwrap();
    assert_eq!(
        (resumed.order.id, resumed.order.status),
        (placed.order.id, Status::Placed)
    );
    assert!(
        tables_with(&checkout.harness.cx, "secret of a charge")
            .await
            .is_empty()
    );
    checkout.harness.database.drop().await;
}
