//! Pauses, schedules, the menu and figures of a store, through the store API.

use proto::ordering::v1::{
    GetStoreSummaryRequest, ListOrdersResponse, ListQueueRequest, ListScheduledOrdersRequest,
    ListScheduledOrdersResponse, Order, OrderStatus, QuoteLine, RescheduleOrderRequest, ScheduledOrder,
    StoreOrderRequest, StoreSummary, Tender, TenderKind,
};
use proto::stores::v1::{
    AuthenticateStoreRequest, AuthenticateStoreResponse, GetLoadRequest, GetStoreMenuRequest, Load, LoadSlot,
    OpeningSpan, Pause, PauseReason, PauseStoreRequest, ResolvedChoice, ResolvedLine, Schedule,
    SetBaristasRequest, SetSpecialDayRequest, SetWeeklyHoursRequest, SpecialDay, Store, StoreMenu,
    StoreMenuItem, StoreMenuOption, StoreMenuSection,
};
use proto::values::v1::Money;
use serde_json::{Value, json};

use crate::fake_services::FakeServices;
use crate::fixtures::{order, store};
use crate::harness::{Gateway, new_token, status_and_body};

const CREDENTIAL: &str = "crd_01h455vb4pex5vsknk084sn02q";
const STORE: &str = "str_01h455vb4pex5vsknk084sn02q";

/// A gateway that accepts every credential for the store.
async fn start() -> (FakeServices, Gateway) {
    let services = FakeServices::start().await;
    services.on("AuthenticateStore", |_: AuthenticateStoreRequest| {
        Ok(AuthenticateStoreResponse {
            credential_id: CREDENTIAL.to_owned(),
            store_ids: vec![STORE.to_owned()],
            all_stores: false,
        })
    });
    services.on("ListScheduledOrders", |_: ListScheduledOrdersRequest| {
        Ok(ListScheduledOrdersResponse {
            orders: vec![ScheduledOrder {
                order: Some(order(OrderStatus::Scheduled)),
                is_outside_hours: true,
            }],
        })
    });
    let gateway = Gateway::start(&services).await;
    (services, gateway)
}

async fn get(gateway: &Gateway, path: &str) -> Value {
    let request = gateway.get(path).bearer_auth(new_token());
    let (status, body) = status_and_body(request.send().await.unwrap()).await;
    assert_eq!(status, 200, "{body}");
    body["data"].clone()
}

async fn post(gateway: &Gateway, path: &str, body: Value) -> (u16, Value) {
    let request = gateway.post(path, &body).bearer_auth(new_token());
    status_and_body(request.send().await.unwrap()).await
}

#[tokio::test]
async fn a_store_pauses_with_a_reason_and_an_end_or_without_a_body() {
    let (services, gateway) = start().await;
    services.on("PauseStore", |request: PauseStoreRequest| {
        let pause = Pause {
            reason: request.reason,
            until: request.until.clone(),
            message: "We're catching up on orders.".to_owned(),
        };
        Ok(Store {
            pause: (request.paused && request.reason != 0).then_some(pause),
            ..store()
        })
    });
    let path = format!("/store-api/stores/{STORE}/pause");
    let until = "2026-11-20T17:30:00Z";
    let (status, body) = post(&gateway, &path, json!({"reason": "busy", "until": until})).await;
    let pause = json!({"reason": "busy", "until": until, "message": "We're catching up on orders."});
    assert_eq!((status, &body["data"]["pause"]), (200, &pause));
    let sent: PauseStoreRequest = services.calls("PauseStore").last().unwrap().decode();
    assert_eq!(
        (sent.paused, sent.reason(), &*sent.until),
        (true, PauseReason::Busy, until)
    );

    let (status, body) = post(&gateway, &path, json!({"reason": "lunch"})).await;
    assert_eq!((status, body["reason"].as_str()), (400, Some("MALFORMED_BODY")));

    for (path, paused) in [(path, true), (format!("/store-api/stores/{STORE}/resume"), false)] {
        let request = gateway
            .client
            .post(format!("{}{path}", gateway.url))
            .bearer_auth(new_token());
        assert_eq!(request.send().await.unwrap().status(), 200, "without a body");
        let sent: PauseStoreRequest = services.calls("PauseStore").last().unwrap().decode();
        assert_eq!((sent.paused, &*sent.until), (paused, ""));
    }
}

#[tokio::test]
async fn a_changed_schedule_lists_the_scheduled_orders_outside_it() {
    let (services, gateway) = start().await;
    services.on("SetSpecialDay", |request: SetSpecialDayRequest| {
        Ok(Schedule {
            today: "2026-11-20".to_owned(),
            special_days: request.special_day.into_iter().collect(),
            ..Default::default()
        })
    });
    services.on("SetWeeklyHours", |request: SetWeeklyHoursRequest| {
        Ok(Schedule {
            week: request.week,
            ..Default::default()
        })
    });
    services.on("SetBaristas", |request: SetBaristasRequest| {
        Ok(Schedule {
            default_baristas: request.baristas,
            ..Default::default()
        })
    });
    let day = json!({"day": "2026-11-26", "name": "Thanksgiving", "openings": [{"opensMinute": 480, "closesMinute": 720}]});
    let (status, body) = post(
        &gateway,
        &format!("/store-api/stores/{STORE}/special-day"),
        day.clone(),
    )
    .await;
    assert_eq!((status, &body["data"]["schedule"]["specialDays"][0]), (200, &day));
    assert_eq!(body["data"]["scheduled"]["orders"][0]["isOutsideHours"], true);
    let sent: SetSpecialDayRequest = services.calls("SetSpecialDay")[0].decode();
    let expected = SpecialDay {
        day: "2026-11-26".to_owned(),
        name: "Thanksgiving".to_owned(),
        openings: vec![OpeningSpan {
            opens_minute: 480,
            closes_minute: 720,
        }],
    };
    assert_eq!(sent.special_day, Some(expected));

    let week = json!({"week": [{"weekday": 1, "opensMinute": 480, "closesMinute": 720}]});
    let (_, body) = post(
        &gateway,
        &format!("/store-api/stores/{STORE}/hours"),
        week.clone(),
    )
    .await;
    assert_eq!(body["data"]["schedule"]["week"], week["week"]);
    let (_, body) = post(
        &gateway,
        &format!("/store-api/stores/{STORE}/baristas"),
        json!({"baristas": 3}),
    )
    .await;
    assert_eq!(body["data"]["defaultBaristas"], 3);
    let sent: SetBaristasRequest = services.calls("SetBaristas")[0].decode();
    assert_eq!((&*sent.store_id, &*sent.day), (STORE, ""));
}

#[tokio::test]
async fn a_schedule_that_was_changed_is_no_error_while_ordering_is_unavailable() {
    let (services, gateway) = start().await;
    services.on("ListScheduledOrders", |_: ListScheduledOrdersRequest| {
        Err::<ListScheduledOrdersResponse, _>(tonic::Status::unavailable("restarting"))
    });
    services.on("SetWeeklyHours", |request: SetWeeklyHoursRequest| {
        Ok(Schedule {
            week: request.week,
            ..Default::default()
        })
    });
    let week = json!({"week": [{"weekday": 1, "opensMinute": 480, "closesMinute": 720}]});
    let path = format!("/store-api/stores/{STORE}/hours");
    let (status, body) = post(&gateway, &path, week.clone()).await;
    assert_eq!((status, &body["data"]["schedule"]["week"]), (200, &week["week"]));
    assert_eq!(body["data"].get("scheduled"), Some(&Value::Null));
    assert_eq!(services.calls("SetWeeklyHours").len(), 1);
}

#[tokio::test]
async fn a_scheduled_order_is_moved_to_another_time() {
    let (services, gateway) = start().await;
    services.on("RescheduleOrder", |request: RescheduleOrderRequest| {
        Ok(Order {
            order_id: request.order_id,
            client_secret: "secret".into(),
            ..order(OrderStatus::Scheduled)
        })
    });
    let body = json!({"readyAt": "2026-11-20T17:30:00Z", "reason": "We close early."});
    let (status, body) = post(&gateway, "/store-api/orders/ord_1/reschedule", body).await;
    assert_eq!((status, &body["data"]["orderId"]), (200, &json!("ord_1")));
    assert_eq!(body["data"]["clientSecret"], Value::Null);
    let sent: RescheduleOrderRequest = services.calls("RescheduleOrder")[0].decode();
    assert_eq!(
        (&*sent.ready_at, &*sent.reason),
        ("2026-11-20T17:30:00Z", "We close early.")
    );
    let listed = get(&gateway, &format!("/store-api/stores/{STORE}/scheduled-orders")).await;
    assert_eq!(listed["orders"].as_array().unwrap().len(), 1);
}

fn money(minor_units: i64) -> Money {
    Money {
        minor_units,
        currency: "usd".into(),
    }
}

/// An order with all that its consumer sees and its store must not.
fn paid_order(status: OrderStatus) -> Order {
    let choice = ResolvedChoice {
        choice_name: "Oat".into(),
        quantity: 1,
        price: Some(money(70)),
        ..Default::default()
    };
    let line = ResolvedLine {
        item_name: "Latte".into(),
        kind: "drink".into(),
        art: "{}".into(),
        quantity: 1,
        unit_price: Some(money(575)),
        choices: vec![choice],
        ..Default::default()
    };
    Order {
        cart_id: "secret-cart".into(),
        promo_code: "SECRETCODE".into(),
        client_secret: "secret-of-the-payment".into(),
        tender: Some(Tender {
            kind: TenderKind::Card.into(),
            payment_method_id: "secret-card".into(),
            ..Default::default()
        }),
        lines: vec![QuoteLine {
            line: Some(line),
            amount: Some(money(575)),
            discount: Some(money(0)),
        }],
        subtotal: Some(money(575)),
        total: Some(money(624)),
        tip: Some(money(100)),
        points: 50,
        pickup_name: "Maya".into(),
        is_charged: true,
        ..order(status)
    }
}

#[tokio::test]
async fn an_order_of_the_store_has_what_to_make_and_no_price_payment_or_cart() {
    let (services, gateway) = start().await;
    services.on("ListQueue", |_: ListQueueRequest| {
        Ok(ListOrdersResponse {
            orders: vec![paid_order(OrderStatus::Placed)],
            ..Default::default()
        })
    });
    services.on("AcceptOrder", |_: StoreOrderRequest| {
        Ok(paid_order(OrderStatus::Accepted))
    });
    services.on("ListScheduledOrders", |_: ListScheduledOrdersRequest| {
        Ok(ListScheduledOrdersResponse {
            orders: vec![ScheduledOrder {
                order: Some(paid_order(OrderStatus::Scheduled)),
                is_outside_hours: false,
            }],
        })
    });
    let queue = get(&gateway, "/store-api/queue").await;
    let line = &queue["orders"][0]["lines"][0];
    assert_eq!(
        (
            &queue["orders"][0]["pickupName"],
            &line["itemName"],
            &line["choices"][0]["choiceName"]
        ),
        (&json!("Maya"), &json!("Latte"), &json!("Oat"))
    );
    assert_eq!(
        queue["orders"][0]["isCharged"],
        json!(true),
        "a rejection refunds the guest"
    );
    let (_, accepted) = post(&gateway, "/store-api/orders/ord_1/accept", json!({})).await;
    let scheduled = get(&gateway, &format!("/store-api/stores/{STORE}/scheduled-orders")).await;
    for response in [queue, accepted["data"].clone(), scheduled] {
        let text = response.to_string();
        for private in [
            "secret",
            "SECRETCODE",
            "currencyAmount",
            "paymentMethod",
            "points",
        ] {
            assert!(!text.contains(private), "{private}: {text}");
        }
    }
}

#[tokio::test]
async fn the_queue_has_the_amount_to_collect_of_an_unpaid_order() {
    let (services, gateway) = start().await;
    services.on("ListQueue", |_: ListQueueRequest| {
        let unpaid = Order {
            unpaid: Some(money(840)),
            ..paid_order(OrderStatus::Ready)
        };
        Ok(ListOrdersResponse {
            orders: vec![unpaid, paid_order(OrderStatus::Ready)],
            ..Default::default()
        })
    });
    let queue = get(&gateway, "/store-api/queue").await;
    assert_eq!(queue["orders"][0]["unpaid"]["currencyAmount"], 840);
    assert!(queue["orders"][1]["unpaid"].is_null());
}

#[tokio::test]
async fn menu_load_and_summary_contain_no_amounts() {
    let (services, gateway) = start().await;
    services.on("GetStoreMenu", |_: GetStoreMenuRequest| {
        let size = StoreMenuOption {
            id: "siz_1".to_owned(),
            name: "Large".to_owned(),
            sold_out: true,
        };
        let item = StoreMenuItem {
            item_id: "itm_1".to_owned(),
            name: "Latte".to_owned(),
            sold_out: false,
            sizes: vec![size],
        };
        let section = StoreMenuSection {
            items: vec![item],
            ..Default::default()
        };
        Ok(StoreMenu {
            sections: vec![section],
            modifications: vec![],
        })
    });
    services.on("GetLoad", |_: GetLoadRequest| {
        let slot = LoadSlot {
            start_at: "2026-11-20T17:00:00Z".to_owned(),
            reserved_seconds: 120,
            capacity_seconds: 600,
        };
        Ok(Load { slots: vec![slot] })
    });
    services.on("GetStoreSummary", |_: GetStoreSummaryRequest| {
        Ok(StoreSummary {
            made: 2,
            kept: 1,
            kept_percent: Some(50),
            ..Default::default()
        })
    });
    let path = |name: &str| format!("/store-api/stores/{STORE}/{name}");
    let menu = get(&gateway, &path("menu")).await;
    assert_eq!(menu["sections"][0]["items"][0]["sizes"][0]["soldOut"], true);
    let load = get(&gateway, &path("load")).await;
    assert_eq!(load["slots"][0]["capacitySeconds"], 600);
    let summary = get(&gateway, &path("summary")).await;
    assert_eq!(
        (&summary["keptPercent"], &summary["averageWaitSeconds"]),
        (&json!(50), &Value::Null)
    );
    for response in [menu, load, summary] {
        assert!(!response.to_string().contains("currencyAmount"), "{response}");
    }
}
