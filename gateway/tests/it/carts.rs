//! Saved carts and their format.

use proto::ordering::v1::{
    Cart, CartData, CartDisplay, GetCartDataRequest, GetCartRequest, LineChange, PickupKind, Quote,
    RepeatOrderRequest, RepeatOrderResponse, SaveCartRequest, SavedCart,
};
use proto::stores::v1::{GetStoreRequest, Store};
use proto::values::v1::Money;
use serde_json::{Value, json};

use crate::fake_services::FakeServices;
use crate::fixtures::store;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

fn items() -> Value {
    json!([{"lineId": "a", "itemId": "itm_1", "sizeId": "siz_1", "quantity": 2, "note": "", "choices": []}])
}

fn saved(request: SaveCartRequest) -> SavedCart {
    SavedCart {
        cart: request.cart,
        saved_at: "2026-11-20T16:00:00Z".into(),
        display: Some(CartDisplay {
            store_name: "Sunset".into(),
            store_address: "1 Sunset Blvd, Los Angeles".into(),
            tax_rate_ppm: 95_000,
            promo_minor_units: 300,
        }),
    }
}

async fn save(cart: Value) -> (Cart, Value) {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let (sender, receiver) = std::sync::mpsc::channel();
    services.on("SaveCart", move |request: SaveCartRequest| {
        sender.send(request.cart.clone().unwrap()).unwrap();
        Ok(saved(request))
    });
    let gateway = Gateway::start(&services).await;
    let request = gateway
        .post("/api/consumer/user/save-cart", &json!({ "cart": cart }))
        .with_session(&new_token());
    let (status, body) = status_and_body(request.send().await.unwrap()).await;
    assert_eq!(status, 200, "{body}");
    (receiver.recv().unwrap(), body["data"]["cart"].clone())
}

#[tokio::test]
async fn the_server_writes_the_display_fields_of_a_saved_cart_and_ignores_them_in_requests() {
    let (sent, returned) = save(json!({
        "cartId": "c-1", "items": items(), "pickup": "curbside", "schedule": "2026-11-20T18:00:00Z",
        "promo": {"code": "FRESH10", "type": "fixed", "value": 99_999},
        "storeId": "str_1", "storeName": "Elsewhere", "storeAddress": "", "storePhoto": "", "taxRate": 1, "tipAmount": 100
    }))
    .await;
    assert_eq!(
        (
            sent.pickup(),
            &*sent.pickup_at,
            &*sent.promo_code,
            sent.lines[0].quantity
        ),
        (PickupKind::Curbside, "2026-11-20T18:00:00Z", "FRESH10", 2)
    );
    assert_eq!(
        returned,
        json!({
            "cartId": "c-1", "items": items(), "pickup": "curbside", "schedule": "2026-11-20T18:00:00Z",
            "promo": {"code": "FRESH10", "type": "fixed", "value": 300},
            "storeId": "str_1", "storeName": "Sunset", "storeAddress": "1 Sunset Blvd, Los Angeles",
            "storePhoto": "/api/consumer/store/photo?storeId=str_1", "taxRate": 95_000, "tipAmount": 100
        })
    );
}

#[tokio::test]
async fn a_cart_has_the_photo_of_its_store_and_without_stores_the_drawn_picture() {
    const PHOTO: &str = "https://images.example/sunset.jpg";
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let cart = || {
        let mut cart = Cart {
            store_id: "str_1".into(),
            ..Cart::default()
        };
        cart.set_pickup(PickupKind::Counter);
        Some(cart)
    };
    services.on("GetCart", move |_: GetCartRequest| {
        Ok(SavedCart {
            cart: cart(),
            ..SavedCart::default()
        })
    });
    services.on("RepeatOrder", move |_: RepeatOrderRequest| {
        Ok(RepeatOrderResponse {
            cart: cart(),
            ..RepeatOrderResponse::default()
        })
    });
    let gateway = Gateway::start(&services).await;
    let token = new_token();
    let photo = async |path: &str| {
        let response = gateway.get(path).with_session(&token).send().await.unwrap();
        let (status, body) = status_and_body(response).await;
        assert_eq!(status, 200, "{body}");
        body["data"]["cart"]["storePhoto"].clone()
    };
    let paths = [
        "/api/consumer/user/cart",
        "/api/consumer/order/repeat?orderId=ord_1",
    ];
    for path in paths {
        assert_eq!(photo(path).await, "/api/consumer/store/photo?storeId=str_1");
    }
    services.on("GetStore", |_: GetStoreRequest| {
        Ok(Store {
            photo_url: PHOTO.into(),
            ..store()
        })
    });
    for path in paths {
        assert_eq!(photo(path).await, PHOTO);
    }
}

#[tokio::test]
async fn a_cart_has_no_promo_and_no_schedule_by_default() {
    let (sent, returned) = save(json!({ "storeId": "str_1", "items": items() })).await;
    assert_eq!((&*sent.promo_code, &*sent.pickup_at), ("", ""));
    assert_eq!(
        (&returned["promo"]["type"], &returned["schedule"]),
        (&json!("fixed"), &json!(null))
    );
}

#[tokio::test]
async fn carts_with_the_former_field_names_are_accepted() {
    let (sent, _) = save(json!({
        "cartId": "c-1", "storeId": "str_1", "lines": items(), "pickup": "counter", "promoCode": "FRESH10",
        "pickupAt": "2026-11-20T18:00:00Z", "tipAmount": 0
    }))
    .await;
    assert_eq!(
        (&*sent.promo_code, &*sent.pickup_at, sent.lines.len()),
        ("FRESH10", "2026-11-20T18:00:00Z", 1)
    );
}

#[tokio::test]
async fn the_data_of_a_cart_lists_what_changed() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetCartData", |request: GetCartDataRequest| {
        if request.store_id != "str_1" {
            return Ok(CartData::default());
        }
        let usd = |cents| {
            Some(Money {
                minor_units: cents,
                currency: "usd".into(),
            })
        };
        let mut cart = Cart {
            store_id: "str_1".into(),
            ..Cart::default()
        };
        cart.set_pickup(PickupKind::Counter);
        Ok(CartData {
            saved: Some(SavedCart {
                cart: Some(cart),
                ..SavedCart::default()
            }),
            quote: Some(Quote::default()),
            changes: vec![
                LineChange {
                    line_id: "a".into(),
                    reason: "PRICE_CHANGED".into(),
                    before: usd(500),
                    after: usd(525),
                    ..LineChange::default()
                },
                LineChange {
                    line_id: "b".into(),
                    reason: "ITEM_SOLD_OUT".into(),
                    before: usd(600),
                    ..LineChange::default()
                },
            ],
        })
    });
    let gateway = Gateway::start(&services).await;
    let get = |store_id: &str| {
        gateway
            .get(&format!("/api/consumer/cart/data?storeId={store_id}"))
            .with_session(&new_token())
            .send()
    };
    let (status, body) = status_and_body(get("str_1").await.unwrap()).await;
    let changes = &body["data"]["changes"];
    assert_eq!(status, 200);
    assert_eq!(
        (
            &changes[0]["after"]["currencyAmount"],
            &changes[1]["before"]["currencyAmount"],
            &changes[1]["after"]
        ),
        (&json!(525), &json!(600), &json!(null))
    );
    let (status, body) = status_and_body(get("str_2").await.unwrap()).await;
    assert_eq!(
        (status, &body["data"]["cart"], &body["data"]["quote"]),
        (200, &json!(null), &json!(null))
    );
}
