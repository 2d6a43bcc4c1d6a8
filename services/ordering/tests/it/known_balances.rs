//! The check of a balance that may have paid for a previous order.

use kit::{ErrorCode, ServiceError};
use ordering::domain::{
    place_order::PlaceOrder,
    tender::{StoredValuePart, Tender},
};
use proto::giftcards::v1::{FindBalanceRequest, FindBalanceResponse};
use types::{ConsumerId, Money};

use crate::place_order::Checkout;

const JOEPASS: &str = "bal_01h455vb4pex5vsknk084sn02q";
const GIFT_CARD: &str = "bal_01h455vb4pex5vsknk084sn02r";

/// The consumer has a JoePass and a gift card.
async fn checkout() -> Checkout {
    let checkout = Checkout::new().await;
    checkout
        .services
        .on_request("FindBalance", |request: FindBalanceRequest| FindBalanceResponse {
            name: match request.balance_id.as_str() {
                JOEPASS => "JoePass".into(),
                GIFT_CARD => "Gift card".into(),
                _ => String::new(),
            },
        });
    checkout
}

fn paid_with(checkout: &Checkout, cart: &str, balance_id: &str) -> PlaceOrder {
    PlaceOrder {
        payment_method_id: balance_id.into(),
        ..checkout.command(cart)
    }
}

#[tokio::test]
async fn a_joepass_that_paid_for_an_earlier_order_is_not_looked_up() {
    let checkout = checkout().await;
    for cart in ["first", "second", "third"] {
        let placed = checkout.place(paid_with(&checkout, cart, JOEPASS)).await.unwrap();
        assert_eq!(placed.order.stored_value_name, "JoePass");
    }
    let mut split = checkout.command("split");
    split.tender = Tender::Card;
    split.payment_method_id = "pay_01h455vb4pex5vsknk084sn02q".into();
    split.stored_value = Some(StoredValuePart {
        balance_id: JOEPASS.into(),
        amount: Money::usd(400),
    });
    let placed = checkout.place(split).await.unwrap();
    assert_eq!(placed.order.stored_value_name, "JoePass");
    assert_eq!(checkout.services.count("FindBalance"), 1);
    assert_eq!(checkout.services.count("HoldValue"), 4);
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn a_gift_card_is_looked_up_for_each_order() {
    let checkout = checkout().await;
    for cart in ["first", "second"] {
        let placed = checkout
            .place(paid_with(&checkout, cart, GIFT_CARD))
            .await
            .unwrap();
        assert_eq!(placed.order.stored_value_name, "Gift card");
    }
    assert_eq!(checkout.services.count("FindBalance"), 2);
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn an_order_of_another_consumer_or_one_that_failed_proves_nothing() {
    let mut checkout = checkout().await;
    checkout
        .place(paid_with(&checkout, "first", JOEPASS))
        .await
        .unwrap();
    checkout.consumer_id = ConsumerId::new(checkout.harness.now());
    checkout.services.on("FindBalance", FindBalanceResponse::default);
    let error = checkout
        .place(paid_with(&checkout, "foreign", JOEPASS))
        .await
        .unwrap_err();
    assert_eq!(error.reason, "PAYMENT_METHOD_UNKNOWN");

    checkout.services.on("FindBalance", || FindBalanceResponse {
        name: "JoePass".into(),
    });
    checkout.services.on_error("HoldValue", || {
        ServiceError::new(
            ErrorCode::RuleViolation,
            "INSUFFICIENT_BALANCE",
            "Your balance is only $1.",
        )
    });
    for cart in ["failed", "failed again"] {
        checkout
            .place(paid_with(&checkout, cart, JOEPASS))
            .await
            .unwrap_err();
    }
    assert_eq!(checkout.services.count("FindBalance"), 4);
    checkout.harness.database.drop().await;
}
