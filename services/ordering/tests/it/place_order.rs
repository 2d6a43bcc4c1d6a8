//! The saga, with fakes of the services that it calls.

use std::time::Duration;

use callers::Caller;
use jiff::Timestamp;
use kit::{ErrorCode, ServiceError};
use ordering::{
    domain::{
        cart::{CartDraft, CartLine, Pickup},
        journey_step::JourneyStep,
        order::OrderDetails,
        place_order::PlaceOrder,
        status::Status,
        tender::Tender,
    },
    ops::{cancel_order::cancel_order, list_active_orders::list_active_orders, place_order::place_order},
};
use proto::payments::v1::{ChargeState, CheckDebtsResponse};
use tokio::task::JoinHandle;
use types::{ConsumerId, Money, SessionId, StoreId};

use crate::{
    fake_services::FakeServices,
    harness::{Harness, START},
};

pub struct Checkout {
    pub harness: Harness,
    pub services: FakeServices,
    pub store_id: StoreId,
    pub consumer_id: ConsumerId,
    ready_at: Timestamp,
}

impl Checkout {
    pub async fn new() -> Self {
        let start: Timestamp = START.parse().unwrap();
        let ready_at = start + Duration::from_mins(10);
        let store_id = StoreId::new(start);
        let services = FakeServices::start(store_id, ready_at).await;
        Self {
            harness: Harness::with_services(&services).await,
            services,
            store_id,
            consumer_id: ConsumerId::new(start),
            ready_at,
        }
    }

    /// Returns the request for an order by JoePass; the cart has this id, which is also the key.
    pub fn command(&self, cart_id: &str) -> PlaceOrder {
        let line = CartLine {
            line_id: "1".into(),
            item_id: "itm_01h455vb4pex5vsknk084sn02q".into(),
            size_id: "siz_01h455vb4pex5vsknk084sn02q".into(),
            quantity: 1,
            choices: Vec::new(),
            note: String::new(),
        };
        PlaceOrder {
            consumer_id: self.consumer_id,
            idempotency_key: format!("key of {cart_id}"),
            request_hash: cart_id.as_bytes().to_vec(),
            cart: CartDraft {
                store_id: self.store_id.to_string(),
                lines: vec![line],
                pickup: Pickup::Counter,
                pickup_at: String::new(),
                promo_code: String::new(),
                tip_minor_units: 0,
                cart_id: cart_id.to_owned(),
            },
            tender: Tender::JoePass,
            payment_method_id: String::new(),
            wallet_payment_method_id: String::new(),
            stored_value: None,
            expected_total: Money::usd(950),
            expected_ready_at: self.ready_at,
            vehicle: String::new(),
            pickup_name: String::new(),
            journey_step: JourneyStep::Web,
        }
    }

    pub async fn place(&self, command: PlaceOrder) -> Result<OrderDetails, ServiceError> {
        self.spawn_place(command).await.unwrap()
    }

    pub fn spawn_place(&self, command: PlaceOrder) -> JoinHandle<Result<OrderDetails, ServiceError>> {
        let cx = self.harness.cx.clone();
        let caller = Caller::Consumer {
            id: self.consumer_id,
            session: SessionId::new(self.harness.now()),
        };
        tokio::spawn(async move { place_order(&cx, &caller, command).await.map_err(Into::into) })
    }

    pub async fn count_orders(&self) -> i64 {
        sqlx::query_scalar("SELECT count(*) FROM orders")
            .fetch_one(&self.harness.cx.pool)
            .await
            .unwrap()
    }
}

/// Blocks the first write of an order until the transaction ends.
async fn block_first_write(harness: &Harness) -> sqlx::Transaction<'static, sqlx::Postgres> {
    let mut tx = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    sqlx::query("LOCK TABLE orders IN SHARE MODE")
        .execute(&mut *tx)
        .await
        .unwrap();
    tx
}

#[tokio::test]
async fn a_rejected_order_holds_nothing_when_the_response_arrives() {
    let checkout = Checkout::new().await;
    checkout
        .services
        .on_charge("AuthorizeCharge", ChargeState::Declined);
    let mut command = checkout.command("cart");
    command.tender = Tender::Card;
    command.payment_method_id = "pay_01h455vb4pex5vsknk084sn02q".into();
    command.cart.promo_code = "WELCOME3".into();
    let error = checkout.place(command).await.unwrap_err();
    assert_eq!(error.reason, "CARD_DECLINED");
    let services = &checkout.services;
    let released = ["CloseClaim", "ReleaseCapacity", "CloseCharge", "CloseHold"];
    assert_eq!(released.map(|method| services.count(method)), [1, 1, 1, 0]);
    // The event releases them too, if a service did not respond.
    assert_eq!(
        checkout.harness.database.outbox_event_types().await,
        ["ordering.OrderAbandoned"]
    );
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn a_consumer_with_debts_cannot_order_until_they_are_paid() {
    let checkout = Checkout::new().await;
    checkout
        .services
        .on("CheckDebts", || CheckDebtsResponse { has_debts: true });
    let error = checkout.place(checkout.command("cart")).await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason, &*error.message),
        (
            ErrorCode::Forbidden,
            "FAILED_ACH_PAYMENTS",
            "You have failed payment"
        )
    );
    assert_eq!(checkout.count_orders().await, 0);
    checkout.services.on("CheckDebts", CheckDebtsResponse::default);
    // The cart and the key are unchanged.
    checkout.place(checkout.command("cart")).await.unwrap();
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn a_wallet_pays_for_an_order_and_is_not_stored() {
    for tender in [Tender::ApplePay, Tender::GooglePay] {
        let checkout = Checkout::new().await;
        let mut command = checkout.command("cart");
        command.tender = tender;
        let error = checkout.place(command.clone()).await.unwrap_err();
        assert_eq!(error.reason, "PAYMENT_METHOD_REQUIRED");
        command.idempotency_key = "another key".into();
        command.wallet_payment_method_id = "pm_1WalletToken".into();
        let placed = checkout.place(command.clone()).await.unwrap();
        assert_eq!(
            (placed.order.tender, placed.order.payment_method_id.as_str()),
            (tender, "")
        );
        assert_eq!(checkout.services.count("AuthorizeCharge"), 1);
        let stored: Vec<String> = sqlx::query_scalar(
            "SELECT orders::text FROM orders UNION ALL SELECT idempotency::text FROM idempotency",
        )
        .fetch_all(&checkout.harness.cx.pool)
        .await
        .unwrap();
        assert!(
            stored.iter().all(|row| !row.contains("WalletToken")),
            "{stored:?}"
        );
        checkout.harness.database.drop().await;
    }
}

#[tokio::test]
async fn a_rejection_does_not_wait_for_a_service_that_is_down() {
    let checkout = Checkout::new().await;
    checkout
        .services
        .on_charge("AuthorizeCharge", ChargeState::Declined);
    let held = checkout.services.hold("ReleaseCapacity");
    let mut command = checkout.command("cart");
    command.tender = Tender::Card;
    command.payment_method_id = "pay_01h455vb4pex5vsknk084sn02q".into();
    let error = checkout.place(command).await.unwrap_err();
    assert_eq!(error.reason, "CARD_DECLINED");
    drop(held);
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn an_order_is_placed_although_its_caller_disconnected_before_the_first_write() {
    let checkout = Checkout::new().await;
    let lock = block_first_write(&checkout.harness).await;
    let call = checkout.spawn_place(checkout.command("cart"));
    checkout.harness.database.wait_for_blocked(1).await;
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    lock.commit().await.unwrap();
    // A retry with the same key gets the order of the first call.
    let order = checkout.place(checkout.command("cart")).await.unwrap().order;
    assert_eq!(order.status, Status::Placed);
    assert_eq!(
        (
            checkout.services.count("HoldValue"),
            checkout.count_orders().await
        ),
        (1, 1)
    );
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn equal_requests_that_race_a_price_change_get_one_response() {
    let checkout = Checkout::new().await;
    let lock = block_first_write(&checkout.harness).await;
    let first = checkout.spawn_place(checkout.command("cart"));
    checkout.harness.database.wait_for_blocked(1).await;
    checkout
        .services
        .on_price(checkout.store_id, checkout.ready_at, 1050);
    let second = checkout.place(checkout.command("cart")).await.unwrap_err();
    assert_eq!(second.reason, "PRICE_CHANGED");
    lock.commit().await.unwrap();
    assert_eq!(first.await.unwrap().unwrap_err(), second);
    assert_eq!(checkout.count_orders().await, 0);
    // The response also stays the same if the price changes back.
    checkout
        .services
        .on_price(checkout.store_id, checkout.ready_at, 950);
    assert_eq!(
        checkout.place(checkout.command("cart")).await.unwrap_err(),
        second
    );
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn a_cart_without_an_id_gets_one_from_the_server() {
    let checkout = Checkout::new().await;
    let mut ids = Vec::new();
    for key in ["first key", "second key"] {
        let command = PlaceOrder {
            idempotency_key: key.to_owned(),
            ..checkout.command("")
        };
        let order = checkout.place(command).await.unwrap().order;
        assert!(!order.cart_id.is_empty() && order.cart_id != key);
        ids.push(order.cart_id);
    }
    assert_ne!(ids[0], ids[1]);
    // The idempotency key of an order is not its cart id.
    let command = checkout.command("first key");
    checkout.place(command).await.unwrap();
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn an_order_contains_the_id_of_its_cart() {
    let checkout = Checkout::new().await;
    let placed = checkout.place(checkout.command("cart 7")).await.unwrap();
    assert_eq!(placed.order.cart_id, "cart 7");
    let listed = list_active_orders(&checkout.harness.cx, checkout.consumer_id, None)
        .await
        .unwrap();
    assert_eq!(listed, [placed]);
    let again = PlaceOrder {
        idempotency_key: "another key".to_owned(),
        ..checkout.command("cart 7")
    };
    let error = checkout.place(again.clone()).await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::Conflict, "CART_ORDERED")
    );
    cancel_order(&checkout.harness.cx, checkout.consumer_id, listed[0].order.id)
        .await
        .unwrap();
    let repeated = checkout.place(again).await.unwrap_err();
    assert_eq!(repeated, error, "one response for each key");
    assert_eq!(checkout.count_orders().await, 1);
    let again = PlaceOrder {
        idempotency_key: "a third key".to_owned(),
        ..checkout.command("cart 7")
    };
    checkout.place(again).await.unwrap();
    checkout.harness.database.drop().await;
}
