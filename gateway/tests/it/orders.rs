//! Placing orders.

use callers::Caller;
use kit::{ErrorCode, ServiceError};
use proto::accounts::v1::{GetSessionRequest, Session};
use proto::ordering::v1::{
    GetOrderRequest, ListActiveOrdersRequest, ListOrdersResponse, Order, OrderStatus, PickupKind,
    PlaceOrderRequest, PriceOrderRequest, Quote, QuoteChanged, TenderKind, TenderPart,
};
use proto::payments::v1::{GetPublishableKeyRequest, PublishableKey};
use proto::values::v1::{JourneyStep, Money};
use serde_json::{Value, json};

use crate::fake_services::FakeServices;
use crate::fixtures::order;
use crate::harness::{
    CONSUMER, Gateway, SESSION, WithSession, accept_all_sessions, new_token, status_and_body,
};

#[expect(clippy::unnecessary_wraps, reason = "message fields are optional in proto3")]
fn usd(cents: i64) -> Option<Money> {
    Some(Money {
        minor_units: cents,
        currency: "usd".into(),
    })
}

fn order_request() -> Value {
    json!({
        "cart": {
            "cartId": "cart-1", "storeId": "str_1", "pickup": "curbside", "schedule": null, "tipAmount": 150,
            "promo": {"code": "", "type": "fixed", "value": 0},
            "items": [{"lineId": "a", "itemId": "itm_1", "sizeId": "siz_1", "quantity": 2, "note": "",
                "choices": [{"modificationId": "mod_1", "choiceId": "cho_1", "quantity": 1}]}]
        },
        "paymentMethod": {"type": "card", "paymentMethodId": "pay_1"},
        "storedValue": {"paymentMethodId": "bal_1", "amount": {"currencyAmount": 400, "currencyFraction": 100, "currency": "usd"}},
        "idempotencyKey": "key-0001",
        "expectedTotal": {"currencyAmount": 1240, "currencyFraction": 100, "currency": "usd"},
        "expectedReadyAt": "2026-11-20T18:00:00Z",
        "vehicle": "Blue Honda", "pickupName": "Ada"
    })
}

#[tokio::test]
async fn all_fields_of_an_order_request_reach_ordering() {
    let services = FakeServices::start().await;
    services.on("GetSession", |_: GetSessionRequest| {
        Ok(Session {
            consumer_id: CONSUMER.to_owned(),
            session_id: SESSION.to_owned(),
            journey_step: JourneyStep::App.into(),
            ..Default::default()
        })
    });
    services.on("PlaceOrder", |request: PlaceOrderRequest| {
        assert_eq!(request.journey_step(), JourneyStep::App);
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
            (TenderKind::Card, "pay_1")
        );
        let stored_value = request.stored_value.unwrap();
        assert_eq!(
            (&*stored_value.balance_id, stored_value.amount),
            ("bal_1", usd(400))
        );
        let part = |kind: TenderKind, cents, name: &str| TenderPart {
            kind: kind.into(),
            amount: usd(cents),
            name: name.into(),
            ..TenderPart::default()
        };
        assert_eq!(
            (request.expected_total, &*request.vehicle),
            (usd(1240), "Blue Honda")
        );
        Ok(Order {
            version: 2,
            total: usd(1240),
            parts: vec![
                part(TenderKind::Joepass, 400, "Gift card"),
                part(TenderKind::Card, 840, ""),
            ],
            ..order(OrderStatus::Placed)
        })
    });
    let gateway = Gateway::start(&services).await;
    let request = gateway
        .post("/api/consumer/order/create", &order_request())
        .with_session(&new_token());
    let (status, body) = status_and_body(request.send().await.unwrap()).await;
    assert_eq!(
        (status, &body["data"]["status"], &body["data"]["version"]),
        (200, &json!("Placed"), &json!(2))
    );
    assert_eq!(
        body["data"]["total"],
        json!({"currencyAmount": 1240, "currencyFraction": 100, "currency": "usd"})
    );
    let amount = |cents: i64| json!({"currencyAmount": cents, "currencyFraction": 100, "currency": "usd"});
    assert_eq!(
        body["data"]["payments"],
        json!([
            {"type": "joebucks", "name": "Gift card", "amount": amount(400)},
            {"type": "card", "name": null, "amount": amount(840)},
        ])
    );
    let caller = services.calls("PlaceOrder")[0].caller.clone();
    assert!(matches!(caller, Caller::Consumer { id, .. } if id.to_string() == CONSUMER));
}

/// Returns an order that waits for the consumer to authenticate the payment.
fn order_to_authenticate() -> Order {
    Order {
        client_secret: "pi_1_secret_1".into(),
        ..order(OrderStatus::PaymentPending)
    }
}

#[tokio::test]
async fn an_order_that_waits_for_authentication_has_the_provider_script() {
    const SCRIPT: (&str, &str) = ("PROVIDER_SCRIPT_URL", "https://provider.example/v1/js");
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("PlaceOrder", |_: PlaceOrderRequest| Ok(order_to_authenticate()));
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
            .post("/api/consumer/order/create", &order_request())
            .with_session(&new_token());
        let (status, body) = status_and_body(request.send().await.unwrap()).await;
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
        services.calls("CreateSetupIntent").is_empty(),
        "no setup intent is created"
    );
    assert_eq!(services.calls("GetPublishableKey").len(), 1);
}

#[tokio::test]
async fn the_status_of_an_order_that_waits_for_authentication_has_the_provider_script() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetOrder", |_: GetOrderRequest| Ok(order_to_authenticate()));
    services.on("GetPublishableKey", |_: GetPublishableKeyRequest| {
        Ok(PublishableKey {
            publishable_key: "pk_of_payments".into(),
        })
    });
    let gateway = Gateway::start(&services).await;
    let get = || {
        gateway
            .get("/api/consumer/order/status?orderId=ord_1")
            .with_session(&new_token())
    };
    let (status, body) = status_and_body(get().send().await.unwrap()).await;
    assert_eq!(
        (status, &body["data"]["providerScript"]["publishableKey"]),
        (200, &json!("pk_of_payments"))
    );
    services.on("GetOrder", |_: GetOrderRequest| Ok(order(OrderStatus::Placed)));
    let (status, body) = status_and_body(get().send().await.unwrap()).await;
    assert_eq!((status, &body["data"]["providerScript"]), (200, &Value::Null));
}

#[tokio::test]
async fn the_id_of_a_built_in_wallet_entry_does_not_reach_ordering() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("PlaceOrder", |request: PlaceOrderRequest| {
        let tender = request.tender.unwrap();
        assert_eq!(
            (
                tender.kind(),
                &*tender.payment_method_id,
                &*tender.wallet_payment_method_id
            ),
            (TenderKind::ApplePay, "", "pm_1")
        );
        Ok(order(OrderStatus::Placed))
    });
    let gateway = Gateway::start(&services).await;
    let mut request = order_request();
    request["paymentMethod"] =
        json!({"type": "apple", "paymentMethodId": "apple_pay_web", "walletPaymentMethodId": "pm_1"});
    let response = gateway.post("/api/consumer/order/create", &request);
    let response = response.with_session(&new_token()).send().await.unwrap();
    assert_eq!(services.calls("PlaceOrder").len(), 1);
    assert_eq!(response.status(), 200);
}

#[tokio::test]
async fn a_placed_order_has_no_provider_script() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("PlaceOrder", |_: PlaceOrderRequest| {
        Ok(order(OrderStatus::Placed))
    });
    // Payments has no reply, so a call to it would fail.
    let gateway = Gateway::start(&services).await;
    let post = || {
        gateway
            .post("/api/consumer/order/create", &order_request())
            .with_session(&new_token())
    };
    let (status, body) = status_and_body(post().send().await.unwrap()).await;
    assert_eq!((status, &body["data"]["providerScript"]), (200, &Value::Null));

    // If the script is needed, the page retries with the same key.
    services.on("PlaceOrder", |_: PlaceOrderRequest| Ok(order_to_authenticate()));
    assert_eq!(status_and_body(post().send().await.unwrap()).await.0, 503);
}

#[tokio::test]
async fn invalid_keys_and_unknown_values_are_rejected() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let gateway = Gateway::start(&services).await;
    for (pointer, bad) in [
        ("/idempotencyKey", json!("short")),
        ("/idempotencyKey", json!("k".repeat(129))),
        ("/paymentMethod/type", json!("gold")),
        ("/cart/pickup", json!("drone")),
        ("/cart/items/0/quantity", json!(-1)),
        ("/cart/tipAmount", json!(1.5)),
        ("/expectedTotal/currencyAmount", json!("12.40")),
    ] {
        let mut body = order_request();
        *body.pointer_mut(pointer).unwrap() = bad;
        let request = gateway
            .post("/api/consumer/order/create", &body)
            .with_session(&new_token());
        assert_eq!(
            status_and_body(request.send().await.unwrap()).await.0,
            400,
            "{pointer}"
        );
    }
    assert!(services.calls("PlaceOrder").is_empty());
}

#[tokio::test]
async fn a_changed_price_is_returned_with_the_new_quote() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let detail = QuoteChanged {
        quote: Some(Quote {
            total: usd(1300),
            ..Default::default()
        }),
    };
    let error = ServiceError::new(ErrorCode::Conflict, "PRICE_CHANGED", "The price changed.");
    let with_quote = error.clone().with_detail(&detail);
    for (error, total) in [(with_quote, 1300), (error, 1400)] {
        services.on("PlaceOrder", move |_: PlaceOrderRequest| {
            Err::<Order, _>(error.clone().into())
        });
        services.on("PriceOrder", |_: PriceOrderRequest| {
            Ok(Quote {
                total: usd(1400),
                ..Default::default()
            })
        });
        let gateway = Gateway::start(&services).await;
        let request = gateway
            .post("/api/consumer/order/create", &order_request())
            .with_session(&new_token());
        let (status, body) = status_and_body(request.send().await.unwrap()).await;
        assert_eq!((status, body["reason"].as_str()), (409, Some("PRICE_CHANGED")));
        assert_eq!(body["data"]["quote"]["total"]["currencyAmount"], total);
    }
}

#[tokio::test]
async fn a_debt_is_a_403_with_the_message_of_the_specification() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
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
        .post("/api/consumer/order/create", &order_request())
        .with_session(&new_token());
    let (status, body) = status_and_body(request.send().await.unwrap()).await;
    assert_eq!(
        (status, &body["message"], &body["success"]),
        (403, &json!("failed_ach_payments"), &json!(false))
    );
}

#[tokio::test]
async fn the_active_order_of_another_day_is_found_outside_production_only() {
    const ACTIVE: &str = "ord_01h455vb4pex5vsknk084sn02q";
    const OTHER: &str = "ord_01h455vb4pex5vsknk084sn02r";
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("ListActiveOrders", |request: ListActiveOrdersRequest| {
        let orders = match &*request.day {
            "" => vec![Order {
                order_id: ACTIVE.into(),
                ..order(OrderStatus::Preparing)
            }],
            "2026-11-21" => vec![order(OrderStatus::Scheduled)],
            _ => Vec::new(),
        };
        Ok(ListOrdersResponse {
            orders,
            next_cursor: String::new(),
        })
    });
    let status_of = async |gateway: &Gateway, query: &str| {
        let request = gateway
            .get(&format!("/api/consumer/order/active{query}"))
            .with_session(&new_token());
        let (status, body) = status_and_body(request.send().await.unwrap()).await;
        assert_eq!(status, 200, "{query}");
        body["data"]["order"]["status"].clone()
    };
    let settings = [("PUBLIC_ORIGIN", "http://127.0.0.1:7080")];
    let gateway = Gateway::start_with(&services, &settings).await;
    for (query, expected) in [
        ("", json!("Preparing")),
        (&*format!("?orderId={ACTIVE}"), json!("Preparing")),
        (&format!("?orderId={OTHER}"), json!(null)),
        ("?overrideDay=2026-11-21", json!("Scheduled")),
        (&format!("?orderId={ACTIVE}&overrideDay=2026-11-22"), json!(null)),
    ] {
        assert_eq!(status_of(&gateway, query).await, expected, "{query}");
    }
    let settings = [("PUBLIC_ORIGIN", "https://order.example")];
    let production = Gateway::start_with(&services, &settings).await;
    assert_eq!(
        status_of(&production, "?overrideDay=2026-11-21").await,
        json!("Preparing")
    );
    let request = gateway
        .get("/api/consumer/order/active?orderId=x")
        .with_session(&new_token());
    let (status, body) = status_and_body(request.send().await.unwrap()).await;
    assert_eq!(status, 400);
    assert_eq!(body["reason"], "ID_MALFORMED");
    assert_eq!(body["field"], "orderId");
}
