//! Promo codes of a company.

use std::sync::{Arc, Mutex};

use kit::ErrorCode;
use ordering::{
    domain::{journey_step::JourneyStep, place_order::PlaceOrder, tender::Tender},
    ops::price_order::price_order,
};
use proto::rewards::v1::{ClaimDiscountRequest, Discount, PriceDiscountRequest};
use types::Money;

use crate::{
    fake_services::{COMPANY_ID, usd},
    place_order::Checkout,
};

fn command(checkout: &Checkout, cart_id: &str) -> PlaceOrder {
    let mut command = checkout.command(cart_id);
    command.cart.promo_code = "MAPLE1".into();
    command
}

fn not_valid_here() -> Discount {
    Discount {
        amount: Some(usd(0)),
        reason: "PROMO_NOT_VALID_HERE".into(),
        message: "This promo code works only at Juniper Lane Coffee.".into(),
        ..Discount::default()
    }
}

#[tokio::test]
async fn rewards_gets_the_company_of_the_store_with_the_price_and_the_claim() {
    let checkout = Checkout::new().await;
    let companies = Arc::<Mutex<Vec<(&str, String)>>>::default();
    let discount = || Discount {
        amount: Some(usd(100)),
        ..Discount::default()
    };
    let priced = companies.clone();
    checkout
        .services
        .on_request("PriceDiscount", move |request: PriceDiscountRequest| {
            priced.lock().unwrap().push(("price", request.company_id));
            discount()
        });
    let claimed = companies.clone();
    checkout
        .services
        .on_request("ClaimDiscount", move |request: ClaimDiscountRequest| {
            claimed.lock().unwrap().push(("claim", request.company_id));
            discount()
        });
    let placed = checkout.place(command(&checkout, "cart")).await.unwrap();
    assert_eq!(placed.order.totals.discount, Money::usd(100));
    assert_eq!(
        *companies.lock().unwrap(),
        [("price", COMPANY_ID.to_owned()), ("claim", COMPANY_ID.to_owned())]
    );
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn a_total_below_the_minimum_of_the_provider_is_only_paid_with_stored_value() {
    let checkout = Checkout::new().await;
    let discount = || Discount {
        amount: Some(usd(901)),
        ..Discount::default()
    };
    checkout.services.on("PriceDiscount", discount);
    checkout.services.on("ClaimDiscount", discount);
    let by_card = PlaceOrder {
        tender: Tender::Card,
        payment_method_id: "pay_01h455vb4pex5vsknk084sn02q".into(),
        ..command(&checkout, "card")
    };
    let error = checkout.place(by_card).await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason, error.field.as_deref()),
        (
            ErrorCode::RuleViolation,
            "CHARGE_TOO_SMALL",
            Some("paymentMethod")
        )
    );
    assert_eq!(checkout.count_orders().await, 0);
    let placed = checkout.place(command(&checkout, "stored value")).await.unwrap();
    let total = placed.order.totals.total.minor_units();
    assert!((1..50).contains(&total), "{total}");
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn a_code_of_another_company_is_rejected_when_pricing_and_placing() {
    let checkout = Checkout::new().await;
    checkout.services.on("PriceDiscount", not_valid_here);
    let cx = &checkout.harness.cx;
    let cart = command(&checkout, "cart").cart;
    let quote = price_order(cx, checkout.consumer_id, JourneyStep::Web, cart)
        .await
        .unwrap();
    let rejection = quote.promo_rejection.unwrap();
    assert_eq!(rejection.reason, "PROMO_NOT_VALID_HERE");
    assert_eq!(quote.totals.total, Money::usd(950));

    let error = checkout.place(command(&checkout, "cart")).await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason, error.field.as_deref()),
        (
            ErrorCode::RuleViolation,
            "PROMO_NOT_VALID_HERE",
            Some("cart.promo.code")
        )
    );
    assert_eq!(checkout.count_orders().await, 0);

    // The code is limited between the price and the claim.
    checkout.services.on("PriceDiscount", || Discount {
        amount: Some(usd(0)),
        ..Discount::default()
    });
    checkout.services.on("ClaimDiscount", not_valid_here);
    let error = checkout.place(command(&checkout, "another")).await.unwrap_err();
    assert_eq!(error.reason, "PROMO_NOT_VALID_HERE");
    assert_eq!(checkout.services.count("HoldValue"), 0);
    checkout.harness.database.drop().await;
}
