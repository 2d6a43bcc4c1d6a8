//! Orders that stored value and a card pay together.

use std::sync::{Arc, Mutex};

use ordering::domain::{
    place_order::PlaceOrder,
    status::Status,
    tender::{StoredValuePart, Tender, TenderPart},
};
use proto::{
    giftcards::v1::{FindBalanceRequest, FindBalanceResponse, Hold, HoldValueRequest},
    payments::v1::{AuthorizeChargeRequest, Charge, ChargeState},
};
use types::Money;

use crate::place_order::Checkout;

const GIFT_CARD: &str = "bal_01h455vb4pex5vsknk084sn02q";
const VISA: &str = "pay_01h455vb4pex5vsknk084sn02q";

/// Returns a request for an order of $9.50 with this amount of stored value, and a card for the rest.
fn split(checkout: &Checkout, cart: &str, balance_id: &str, cents: i64) -> PlaceOrder {
    PlaceOrder {
        tender: Tender::Card,
        payment_method_id: VISA.into(),
        stored_value: Some(StoredValuePart {
            balance_id: balance_id.into(),
            amount: Money::usd(cents),
        }),
        ..checkout.command(cart)
    }
}

/// What is done (`held` or `authorized`), the balance, and the amount in cents.
type Call = (&'static str, String, i64);

/// Records the amounts that are held and authorized, in the order of the calls.
fn record_amounts(checkout: &Checkout) -> Arc<Mutex<Vec<Call>>> {
    let amounts = Arc::<Mutex<Vec<_>>>::default();
    let held = amounts.clone();
    checkout
        .services
        .on_request("HoldValue", move |request: HoldValueRequest| {
            let cents = request.amount.unwrap().minor_units;
            held.lock().unwrap().push(("held", request.balance_id, cents));
            Hold::default()
        });
    let authorized = amounts.clone();
    checkout
        .services
        .on_request("AuthorizeCharge", move |request: AuthorizeChargeRequest| {
            let cents = request.amount.unwrap().minor_units;
            authorized
                .lock()
                .unwrap()
                .push(("authorized", String::new(), cents));
            Charge {
                state: ChargeState::Authorized.into(),
                ..Charge::default()
            }
        });
    // The response for a balance of another consumer has no name.
    checkout
        .services
        .on_request("FindBalance", |request: FindBalanceRequest| FindBalanceResponse {
            name: if request.balance_id == GIFT_CARD {
                "Gift card".into()
            } else {
                String::new()
            },
        });
    amounts
}

#[tokio::test]
async fn stored_value_is_held_first_and_the_card_pays_the_rest() {
    let checkout = Checkout::new().await;
    let amounts = record_amounts(&checkout);
    let command = split(&checkout, "cart", GIFT_CARD, 400);
    let placed = checkout.place(command.clone()).await.unwrap().order;
    assert_eq!(
        *amounts.lock().unwrap(),
        [
            ("held", GIFT_CARD.to_owned(), 400),
            ("authorized", String::new(), 550)
        ]
    );
    let part = |tender, id: &str, name: &str, cents| TenderPart {
        tender,
        payment_method_id: id.into(),
        name: name.into(),
        amount: Money::usd(cents),
    };
    let parts = [
        part(Tender::JoePass, GIFT_CARD, "Gift card", 400),
        part(Tender::Card, VISA, "", 550),
    ];
    assert_eq!(placed.tender_parts(), parts);
    // The stored order and the stored response have the parts, too.
    assert_eq!(checkout.harness.find(placed.id).await.order.tender_parts(), parts);
    assert_eq!(checkout.place(command).await.unwrap().order, placed);
    let event = checkout.harness.order_events().await.pop().unwrap();
    let snapshot = event.order.unwrap();
    assert_eq!(
        (snapshot.stored_value_minor_units, &*snapshot.stored_value_name),
        (400, "Gift card")
    );
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn a_balance_that_covers_the_total_pays_alone() {
    let checkout = Checkout::new().await;
    let amounts = record_amounts(&checkout);
    let command = split(&checkout, "cart", "", 1_000);
    let placed = checkout.place(command).await.unwrap().order;
    assert_eq!(*amounts.lock().unwrap(), [("held", String::new(), 950)]);
    assert_eq!((placed.tender, placed.stored_value), (Tender::JoePass, None));
    assert_eq!(placed.stored_value_name, "JoePass");
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn a_rest_below_the_cards_minimum_is_taken_from_the_stored_value() {
    let checkout = Checkout::new().await;
    let amounts = record_amounts(&checkout);
    checkout.place(split(&checkout, "cart", "", 940)).await.unwrap();
    assert_eq!(
        *amounts.lock().unwrap(),
        [("held", String::new(), 900), ("authorized", String::new(), 50)]
    );
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn a_declined_card_releases_the_stored_value() {
    let checkout = Checkout::new().await;
    checkout
        .services
        .on_charge("AuthorizeCharge", ChargeState::Declined);
    let error = checkout
        .place(split(&checkout, "cart", "", 400))
        .await
        .unwrap_err();
    assert_eq!(error.reason, "CARD_DECLINED");
    let services = &checkout.services;
    assert_eq!(
        ["HoldValue", "CloseHold", "CloseCharge"].map(|method| services.count(method)),
        [1, 1, 1]
    );
    let event = checkout.harness.order_events().await.pop().unwrap();
    assert_eq!(event.order.unwrap().stored_value_minor_units, 400);
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn recovery_closes_both_parts() {
    let checkout = Checkout::new().await;
    let mut record = checkout.harness.record(Status::PaymentPending);
    record.order.tender = Tender::Card;
    record.order.payment_method_id = VISA.into();
    record.order.stored_value = Some(StoredValuePart {
        balance_id: String::new(),
        amount: Money::usd(400),
    });
    checkout.harness.insert(&record).await.unwrap();
    let lease_time = std::time::Duration::from_mins(1);
    checkout.harness.pass_lease_time(lease_time).await;
    let recovered = ordering::ops::recover::recover_orders(&checkout.harness.cx).await;
    assert_eq!(recovered.unwrap(), 1);
    let services = &checkout.services;
    assert_eq!(
        ["CloseHold", "CloseCharge"].map(|method| services.count(method)),
        [1, 1]
    );
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn only_a_card_or_a_wallet_pays_the_rest() {
    let checkout = Checkout::new().await;
    record_amounts(&checkout);
    let with = |cart, change: fn(&mut PlaceOrder)| {
        let mut command = split(&checkout, cart, "", 400);
        change(&mut command);
        command
    };
    for (command, reason) in [
        (
            with("bank", |it| it.tender = Tender::Bank),
            "TENDER_SPLIT_INVALID",
        ),
        (
            with("joepass", |it| it.tender = Tender::JoePass),
            "TENDER_SPLIT_INVALID",
        ),
        (
            with("foreign", |it| {
                it.stored_value.as_mut().unwrap().balance_id = "bal_01h455vb4pex5vsknk084sn02r".into();
            }),
            "PAYMENT_METHOD_UNKNOWN",
        ),
    ] {
        assert_eq!(checkout.place(command).await.unwrap_err().reason, reason);
    }
    assert_eq!(checkout.count_orders().await, 0);
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn an_amount_of_stored_value_that_is_not_positive_is_rejected() {
    let checkout = Checkout::new().await;
    record_amounts(&checkout);
    for (cart, cents) in [("nothing", 0), ("negative", -400)] {
        let error = checkout
            .place(split(&checkout, cart, "", cents))
            .await
            .unwrap_err();
        assert_eq!(
            (&*error.reason, &*error.message, error.field.as_deref()),
            (
                "AMOUNT_INVALID",
                "Choose an amount above $0 to pay from your balance.",
                Some("storedValue.amount")
            )
        );
    }
    assert_eq!(checkout.count_orders().await, 0);
    checkout.harness.database.drop().await;
}
