//! Placing: what goes in, what comes out, and a price that moved.

use callers::Caller;
use kit::{ErrorCode, ServiceError};
use proto::ordering::v1::{
    Order, OrderStatus, PickupKind, PlaceOrderRequest, PriceOrderRequest, Quote, QuoteChanged, TenderKind,
};
use proto::payments::v1::{GetPublishableKeyRequest, PublishableKey};
use proto::values::v1::Money;
use serde_json::{Value, json};

use crate::gateway::{Act, CONSUMER, Gateway, everybody_is_signed_in, token, told};
use crate::services::Services;

fn usd(cents: i64) -> Option<Money> {
    Some(Money {
        minor_units: cents,
        currency: "usd".into(),
    })
}

fn order() -> Value {
    json!({
        "cart": {
            "cartId": "cart-1", "storeId": "str_1", "pickup": "curbside", "pickupAt": null, "promoCode": null, "tipAmount": 150,
            "lines": [{"lineId": "a", "itemId": "itm_1", "sizeId": "siz_1", "quantity": 2, "note": "",
                "choices": [{"modificationId": "mod_1", "choiceId": "cho_1", "quantity": 1}]}]
        },
        "paymentMethod": {"type": "joebucks", "paymentMethodId": "bal_1"},
        "idempotencyKey": "key-0001",
        "expectedTotal": {"currencyAmount": 1240, "currencyFraction": 100, "currency": "usd"},
        "expectedReadyAt": "2026-11-20T18:00:00Z",
        "vehicle": "Blue Honda", "pickupName": "Ada"
    })
}

#[tokio::test]
async fn every_field_of_an_order_arrives_and_comes_back() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    services.on("PlaceOrder", |request: PlaceOrderRequest| {
        let cart = request.cart.unwrap();
        assert_eq!(
            (cart.pickup(), cart.tip_minor_units, &*cart.cart_id),
            (PickupKind::Curbside, 150, "cart-1")
        );
        assert_eq!(
            (cart.lines[0].quantity, &*cart.lines[0].choices[0].choice_id),
            (2, "cho_1")
        );
        let tender = request.tender.unwrap();
        assert_eq!(
            (tender.kind(), &*tender.payment_method_id),
            (TenderKind::Joepass, "bal_1")
        );
        assert_eq!(
            (request.expected_total, &*request.vehicle),
            (usd(1240), "Blue Honda")
        );
        let mut order = Order {
            order_id: "ord_1".into(),
            version: 2,
            total: usd(1240),
            ..Default::default()
        };
        order.set_status(OrderStatus::Placed);
        Ok(order)
    });
    let gateway = Gateway::start(&services).await;
    let request = gateway
        .post("/api/consumer/order/create", &order())
        .by_consumer(&token());
    let (status, body) = told(request.send().await.unwrap()).await;
    assert_eq!(
        (status, &body["data"]["status"], &body["data"]["version"]),
        (200, &json!("Placed"), &json!(2))
    );
    assert_eq!(
        body["data"]["total"],
        json!({"currencyAmount": 1240, "currencyFraction": 100, "currency": "usd"})
    );
    let caller = services.seen("PlaceOrder")[0].caller.clone();
    assert!(matches!(caller, Caller::Consumer { id, .. } if id.to_string() == CONSUMER));
}

/// An order whose consumer the bank wants to see first.
fn waiting() -> Order {
    let mut order = Order {
        order_id: "ord_1".into(),
        client_secret: "pi_1_secret_1".into(),
        ..Default::default()
    };
    order.set_status(OrderStatus::PaymentPending);
    order
}

#[tokio::test]
async fn an_order_that_waits_for_the_bank_says_which_script_asks_its_question() {
    const SCRIPT: (&str, &str) = ("PROVIDER_SCRIPT_URL", "https://provider.example/v1/js");
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    services.on("PlaceOrder", |_: PlaceOrderRequest| Ok(waiting()));
    services.on("GetPublishableKey", |_: GetPublishableKeyRequest| {
        Ok(PublishableKey {
            publishable_key: "pk_of_payments".into(),
        })
    });
    for (settings, key) in [
        (vec![SCRIPT], "pk_of_payments"),
        (
            vec![SCRIPT, ("PROVIDER_PUBLISHABLE_KEY", "pk_set_here")],
            "pk_set_here",
        ),
    ] {
        let gateway = Gateway::start_with(&services, &settings).await;
        let request = gateway
            .post("/api/consumer/order/create", &order())
            .by_consumer(&token());
        let (status, body) = told(request.send().await.unwrap()).await;
        assert_eq!(
            (status, &body["data"]["status"], &body["data"]["clientSecret"]),
            (200, &json!("PaymentPending"), &json!("pi_1_secret_1"))
        );
        assert_eq!(
            body["data"]["providerScript"],
            json!({ "publishableKey": key, "scriptUrl": SCRIPT.1 })
        );
    }
    assert!(
        services.seen("CreateCardSecret").is_empty(),
        "nothing is set up that nobody uses"
    );
    assert_eq!(services.seen("GetPublishableKey").len(), 1);
}

#[tokio::test]
async fn an_order_that_waits_for_nobody_asks_for_no_script() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    services.on("PlaceOrder", |_: PlaceOrderRequest| {
        let mut order = Order {
            order_id: "ord_1".into(),
            ..Default::default()
        };
        order.set_status(OrderStatus::Placed);
        Ok(order)
    });
    // Payments is away, and nobody notices.
    let gateway = Gateway::start(&services).await;
    let post = || {
        gateway
            .post("/api/consumer/order/create", &order())
            .by_consumer(&token())
    };
    let (status, body) = told(post().send().await.unwrap()).await;
    assert_eq!((status, &body["data"]["providerScript"]), (200, &Value::Null));

    // Where it is needed, the page asks again with the same key.
    services.on("PlaceOrder", |_: PlaceOrderRequest| Ok(waiting()));
    assert_eq!(told(post().send().await.unwrap()).await.0, 503);
}

#[tokio::test]
async fn an_order_without_a_key_or_with_words_nobody_knows_is_refused() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    let gateway = Gateway::start(&services).await;
    for (pointer, bad) in [
        ("/idempotencyKey", json!("short")),
        ("/paymentMethod/type", json!("gold")),
        ("/cart/pickup", json!("drone")),
        ("/cart/lines/0/quantity", json!(-1)),
        ("/cart/tipAmount", json!(1.5)),
        ("/expectedTotal/currencyAmount", json!("12.40")),
    ] {
        let mut body = order();
        *body.pointer_mut(pointer).unwrap() = bad;
        let request = gateway
            .post("/api/consumer/order/create", &body)
            .by_consumer(&token());
        assert_eq!(told(request.send().await.unwrap()).await.0, 400, "{pointer}");
    }
    assert!(services.seen("PlaceOrder").is_empty());
}

#[tokio::test]
async fn a_price_that_moved_comes_with_the_new_quote() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    let detail = QuoteChanged {
        quote: Some(Quote {
            total: usd(1300),
            ..Default::default()
        }),
    };
    let refused = ServiceError::new(ErrorCode::Conflict, "PRICE_CHANGED", "The price changed.");
    let with_quote = refused.clone().with_detail(&detail);
    for (refusal, total) in [(with_quote, 1300), (refused, 1400)] {
        services.on("PlaceOrder", move |_: PlaceOrderRequest| {
            Err::<Order, _>(refusal.clone().into())
        });
        services.on("PriceOrder", |_: PriceOrderRequest| {
            Ok(Quote {
                total: usd(1400),
                ..Default::default()
            })
        });
        let gateway = Gateway::start(&services).await;
        let request = gateway
            .post("/api/consumer/order/create", &order())
            .by_consumer(&token());
        let (status, body) = told(request.send().await.unwrap()).await;
        assert_eq!((status, body["reason"].as_str()), (409, Some("PRICE_CHANGED")));
        assert_eq!(body["data"]["quote"]["total"]["currencyAmount"], total);
    }
}

#[tokio::test]
async fn a_debt_answers_as_the_specification_has_it() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    services.on("PlaceOrder", |_: PlaceOrderRequest| {
        Err::<Order, _>(
            ServiceError::new(
                ErrorCode::Forbidden,
                "FAILED_ACH_PAYMENTS",
                "A payment was returned.",
            )
            .into(),
        )
    });
    let gateway = Gateway::start(&services).await;
    let request = gateway
        .post("/api/consumer/order/create", &order())
        .by_consumer(&token());
    let (status, body) = told(request.send().await.unwrap()).await;
    assert_eq!(
        (status, &body["message"], &body["success"]),
        (403, &json!("failed_ach_payments"), &json!(false))
    );
}
