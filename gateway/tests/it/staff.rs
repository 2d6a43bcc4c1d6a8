//! Sign-in of the staff of a store, and the store API with their cookie.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use callers::Caller;
use kit::{ErrorCode, ServiceError};
use proto::ordering::v1::{ListOrdersResponse, ListQueueRequest, Order, OrderStatus, StoreOrderRequest};
use proto::stores::v1::set_availability_request::Subject;
use proto::stores::v1::{
    AuthenticateStoreRequest, AuthenticateStoreResponse, GetStoreRequest, SetAvailabilityRequest,
    SetAvailabilityResponse, SignInStaffRequest, SignOutStaffRequest, SignOutStaffResponse, StaffSession,
    Store,
};
use serde_json::json;

use crate::fake_services::FakeServices;
use crate::fixtures::{order, store};
use crate::harness::{Gateway, new_token, status_and_body};
use crate::live::Events;

const SESSION: &str = "crd_01h455vb4pex5vsknk084sn02q";
const STORE: &str = "str_01h455vb4pex5vsknk084sn02q";

/// Makes stores accept the PIN 123456 and the token until it is signed out.
fn accept_staff(services: &FakeServices, token: &str) {
    let is_open = Arc::new(AtomicBool::new(true));
    let new = token.to_owned();
    services.on("SignInStaff", move |request: SignInStaffRequest| {
        if request.pin != "123456" {
            let message = "That store code or PIN is incorrect.";
            return Err(ServiceError::new(ErrorCode::RuleViolation, "STAFF_PIN_INVALID", message).into());
        }
        Ok(StaffSession {
            token: new.clone(),
            store_id: STORE.to_owned(),
            expires_at: "2026-11-21T05:00:00Z".to_owned(),
        })
    });
    let (expected, is_valid) = (token.to_owned(), Arc::clone(&is_open));
    services.on("AuthenticateStore", move |request: AuthenticateStoreRequest| {
        if request.credential != expected || !is_valid.load(Ordering::SeqCst) {
            let message = "That store credential isn't valid.";
            return Err(ServiceError::new(ErrorCode::Unauthenticated, "CREDENTIAL_UNKNOWN", message).into());
        }
        Ok(AuthenticateStoreResponse {
            credential_id: SESSION.to_owned(),
            store_ids: vec![STORE.to_owned()],
            all_stores: false,
        })
    });
    services.on("SignOutStaff", move |_: SignOutStaffRequest| {
        is_open.store(false, Ordering::SeqCst);
        Ok(SignOutStaffResponse {})
    });
    services.on("GetStore", |request: GetStoreRequest| {
        Ok(Store {
            store_id: request.store_id,
            ..store()
        })
    });
    services.on("ListQueue", |_: ListQueueRequest| {
        Ok(ListOrdersResponse::default())
    });
    services.on("AcceptOrder", |_: StoreOrderRequest| {
        Ok(Order {
            ..order(OrderStatus::Accepted)
        })
    });
}

#[tokio::test]
async fn staff_sign_in_for_their_store_until_they_sign_out() {
    let services = FakeServices::start().await;
    let token = new_token();
    accept_staff(&services, &token);
    let gateway = Gateway::start(&services).await;
    let sign_in = |pin: &str| {
        let body = json!({"storeCode": "seed-01", "pin": pin});
        gateway.post("/store-api/staff/sign-in", &body).send()
    };
    let rejected = sign_in("000000").await.unwrap();
    assert!(!rejected.headers().contains_key("set-cookie"));
    assert_eq!(status_and_body(rejected).await.1["reason"], "STAFF_PIN_INVALID");

    let signed_in = sign_in("123456").await.unwrap();
    assert_eq!(
        signed_in.headers()["set-cookie"],
        format!("staff={token}; Path=/store-api; Max-Age=43200; HttpOnly; SameSite=Strict; Secure").as_str()
    );
    let (_, body) = status_and_body(signed_in).await;
    assert_eq!(
        (&body["data"]["storeId"], &body["data"]["token"]),
        (&json!(STORE), &json!(null))
    );

    let cookie = format!("staff={token}");
    for path in ["/store-api/staff/session", "/store-api/queue"] {
        let response = gateway.get(path).header("cookie", &cookie).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
    }
    let caller = services.calls("ListQueue")[0].caller.clone();
    assert!(
        matches!(caller, Caller::Store { stores: Some(list), .. } if list.len() == 1 && list[0].to_string() == STORE)
    );

    let sign_out = gateway.post("/store-api/staff/sign-out", &json!({}));
    let response = sign_out.header("cookie", &cookie).send().await.unwrap();
    assert!(
        response.headers()["set-cookie"]
            .to_str()
            .unwrap()
            .starts_with("staff=; Path=/store-api; Max-Age=0;")
    );
    // The tombstone replaces the cached caller.
    let request = gateway.get("/store-api/staff/session").header("cookie", &cookie);
    assert_eq!(request.send().await.unwrap().status(), 401);
}

#[tokio::test]
async fn a_device_keeps_its_id_and_is_asked_for_when_others_are_limited() {
    let services = FakeServices::start().await;
    accept_staff(&services, &new_token());
    let gateway = Gateway::start_with(&services, &[("SIGN_IN_LIMIT_PER_ADDRESS", "2")]).await;
    let sign_in = |cookie: &str| {
        let body = json!({"storeCode": "seed-01", "pin": "123456"});
        let request = gateway.post("/store-api/staff/sign-in", &body);
        request.header("cookie", cookie).send()
    };
    let sent = || -> SignInStaffRequest { services.calls("SignInStaff").last().unwrap().decode() };
    let first = sign_in("device=not an id").await.unwrap();
    let device = sent().device_id;
    assert!(uuid::Uuid::parse_str(&device).is_ok());
    let cookies: Vec<_> = first.headers().get_all("set-cookie").iter().collect();
    assert!(
        cookies[1]
            .to_str()
            .unwrap()
            .starts_with(&format!("device={device}; Path=/; ")),
        "{cookies:?}"
    );

    let cookie = format!("device={device}");
    assert_eq!(sign_in(&cookie).await.unwrap().status(), 200);
    assert_eq!(
        (sent().device_id, sent().known_devices_only),
        (device.clone(), false)
    );
    // The limit is reached: only stores can decide whether the device is known.
    let (status, body) = status_and_body(sign_in("").await.unwrap()).await;
    assert_eq!((status, &body["reason"]), (429, &json!("TOO_MANY_ATTEMPTS")));
    assert_eq!(services.calls("SignInStaff").len(), 2);
    assert_eq!(sign_in(&cookie).await.unwrap().status(), 200);
    assert_eq!((sent().device_id, sent().known_devices_only), (device, true));
}

#[tokio::test]
async fn the_cookie_is_rejected_from_another_origin() {
    let services = FakeServices::start().await;
    let token = new_token();
    accept_staff(&services, &token);
    let gateway = Gateway::start(&services).await;
    let accept = || {
        let url = format!("{}/store-api/orders/ord_1/accept", gateway.url);
        gateway
            .client
            .post(url)
            .header("cookie", format!("staff={token}"))
    };
    let foreign = accept()
        .header("origin", "https://evil.example")
        .header("x-correlation-id", "a");
    for (request, reason) in [
        (accept(), "ORIGIN_NOT_ALLOWED"),
        (foreign, "ORIGIN_NOT_ALLOWED"),
        (
            accept().header("origin", crate::harness::ORIGIN),
            "CORRELATION_ID_MISSING",
        ),
    ] {
        let (_, body) = status_and_body(request.send().await.unwrap()).await;
        assert_eq!(body["reason"], reason);
    }
    assert!(services.calls("AcceptOrder").is_empty());
    let own = gateway.post("/store-api/orders/ord_1/accept", &json!({}));
    let response = own
        .header("cookie", format!("staff={token}"))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    // The consumer's session gives no access.
    let request = gateway
        .get("/store-api/queue")
        .header("cookie", format!("session={token}"));
    assert_eq!(request.send().await.unwrap().status(), 401);
}

#[tokio::test]
async fn a_credential_for_several_stores_has_no_staff_session() {
    let services = FakeServices::start().await;
    services.on("AuthenticateStore", |_: AuthenticateStoreRequest| {
        Ok(AuthenticateStoreResponse {
            credential_id: SESSION.to_owned(),
            store_ids: vec![],
            all_stores: true,
        })
    });
    let gateway = Gateway::start(&services).await;
    let request = gateway.get("/store-api/staff/session").bearer_auth(new_token());
    let (status, body) = status_and_body(request.send().await.unwrap()).await;
    assert_eq!((status, body["reason"].as_str()), (403, Some("FORBIDDEN")));
}

#[tokio::test]
async fn the_queue_of_the_own_store_is_streamed() {
    let services = FakeServices::start().await;
    let token = new_token();
    accept_staff(&services, &token);
    let queue = |orders: &'static [(&str, i64)]| {
        services.on("ListQueue", move |request: ListQueueRequest| {
            assert_eq!(request.store_id, STORE);
            let orders = orders.iter().map(|(order_id, version)| Order {
                order_id: (*order_id).to_owned(),
                version: *version,
                ..order(OrderStatus::Placed)
            });
            Ok(ListOrdersResponse {
                orders: orders.collect(),
                ..Default::default()
            })
        });
    };
    queue(&[("ord_1", 1), ("ord_2", 1)]);
    let gateway = Gateway::start(&services).await;
    let cookie = format!("staff={token}");
    let follow = |store: &str| {
        let path = format!("/store-api/queue/events?storeId={store}");
        gateway.get(&path).header("cookie", &cookie).send()
    };
    let foreign = follow("str_01h455vb4pex5vsknk084sn02r").await.unwrap();
    assert_eq!(foreign.status(), 403);
    let response = follow(STORE).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut events = Events(response, String::new());
    let (name, snapshot) = events.next().await.unwrap();
    assert_eq!(
        (&*name, &snapshot["orders"][1]["orderId"]),
        ("snapshot", &json!("ord_2"))
    );
    // Without the broker, the stream polls.
    queue(&[("ord_1", 2)]);
    let (name, removed) = events.next().await.unwrap();
    assert_eq!((&*name, &removed["orderId"]), ("removed", &json!("ord_2")));
    let (name, changed) = events.next().await.unwrap();
    assert_eq!((&*name, &changed["version"]), ("order", &json!(2)));

    // The next change comes after the sign-out.
    let sign_out = gateway.post("/store-api/staff/sign-out", &json!({}));
    let sign_out = sign_out.header("cookie", &cookie).send().await.unwrap();
    assert_eq!(sign_out.status(), 200);
    queue(&[("ord_1", 3)]);
    assert!(events.next().await.is_none(), "no event after the sign-out");
}

#[tokio::test]
async fn each_kind_of_subject_can_be_sold_out() {
    let services = FakeServices::start().await;
    let token = new_token();
    accept_staff(&services, &token);
    services.on("SetAvailability", |request: SetAvailabilityRequest| {
        Ok(SetAvailabilityResponse {
            sold_out: request.sold_out,
        })
    });
    let gateway = Gateway::start(&services).await;
    let path = format!("/store-api/stores/{STORE}/availability");
    for (kind, subject) in [
        ("item", Subject::ItemId("x".into())),
        ("size", Subject::SizeId("x".into())),
        ("choice", Subject::ChoiceId("x".into())),
    ] {
        let body = json!({"subject": kind, "id": "x", "soldOut": true});
        let request = gateway
            .post(&path, &body)
            .header("cookie", format!("staff={token}"));
        let (status, body) = status_and_body(request.send().await.unwrap()).await;
        assert_eq!((status, &body["data"]["soldOut"]), (200, &json!(true)));
        let sent: SetAvailabilityRequest = services.calls("SetAvailability").last().unwrap().decode();
        assert_eq!((&*sent.store_id, sent.subject), (STORE, Some(subject)));
    }
    let unknown = json!({"subject": "cup", "id": "x", "soldOut": true});
    let request = gateway
        .post(&path, &unknown)
        .header("cookie", format!("staff={token}"));
    assert_eq!(status_and_body(request.send().await.unwrap()).await.0, 400);
}
