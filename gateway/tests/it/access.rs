//! The access table: who may call each route. A route that is missing here fails the test.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::json;

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Public,
    Consumer,
    Store,
    Provider,
}
use Access::{Consumer, Provider, Public, Store};

const CALLS: [(&str, Access); 130] = [
    ("POST /api/consumer/authentication/login", Public),
    ("POST /api/consumer/authentication/verify", Public),
    ("POST /api/consumer/authentication/logout", Consumer),
    ("GET /api/consumer/user/profile", Consumer),
    ("GET /api/consumer/user/info", Consumer),
    ("POST /api/consumer/user/name", Consumer),
    ("GET /api/consumer/user/my-joe", Consumer),
    ("GET /api/consumer/user/sessions", Consumer),
    (
        "POST /api/consumer/authentication/exchange-hand-over-code",
        Public,
    ),
    (
        "POST /api/consumer/authentication/create-hand-over-code",
        Consumer,
    ),
    ("POST /api/consumer/user/photo", Consumer),
    ("GET /api/consumer/user/profile-photo", Consumer),
    ("GET /api/consumer/user/journey-step", Consumer),
    ("GET /api/consumer/user/settings", Consumer),
    ("POST /api/consumer/user/save-settings", Consumer),
    ("POST /api/consumer/user/remove", Consumer),
    ("POST /api/consumer/user/end-session", Consumer),
    ("POST /api/consumer/user/forget-device", Consumer),
    ("GET /api/consumer/stores/list", Public),
    ("GET /api/consumer/stores/map", Public),
    ("GET /api/consumer/stores/search", Public),
    ("GET /api/consumer/store/card", Public),
    ("GET /api/consumer/store/info", Public),
    ("GET /api/consumer/store/status", Public),
    ("GET /api/consumer/store/events", Public),
    ("GET /api/consumer/store/company-info", Public),
    ("GET /api/consumer/company/stores", Public),
    ("GET /api/consumer/store/locations", Public),
    ("GET /api/consumer/store/photo", Public),
    ("GET /api/consumer/store/menu/categories", Public),
    ("GET /api/consumer/store/menu", Public),
    ("GET /api/consumer/store/pickup-options", Public),
    ("GET /api/consumer/item/details", Public),
    ("GET /api/consumer/item/sizes", Public),
    ("GET /api/consumer/item/modifications", Public),
    ("GET /api/consumer/item/modification", Public),
    ("GET /api/consumer/item/modification-choice", Public),
    ("GET /api/consumer/store/top-ordered", Public),
    ("GET /api/consumer/store/upsell-items", Public),
    ("GET /api/consumer/store/cart-options", Public),
    ("GET /api/consumer/store/usual-items", Consumer),
    ("POST /api/consumer/item/add-usual-item", Consumer),
    ("POST /api/consumer/item/delete-usual-item", Consumer),
    ("POST /api/consumer/store/favorite", Consumer),
    ("POST /api/consumer/store/unfavorite", Consumer),
    ("POST /api/consumer/order/pricing", Consumer),
    ("POST /api/consumer/order/create", Consumer),
    ("POST /api/consumer/order/cancel", Consumer),
    ("GET /api/consumer/order/status", Consumer),
    ("GET /api/consumer/order/active", Consumer),
    ("GET /api/consumer/order/active-orders", Consumer),
    ("GET /api/consumer/order/repeat", Consumer),
    // Public with the signature of a receipt; tested in receipts.
    ("GET /api/consumer/order/complete", Public),
    ("GET /api/consumer/order/events", Consumer),
    ("POST /api/consumer/order/user-arrived", Consumer),
    ("GET /api/consumer/user/orders", Consumer),
    ("GET /api/consumer/user/cart", Consumer),
    ("GET /api/consumer/cart/data", Consumer),
    ("POST /api/consumer/user/save-cart", Consumer),
    ("POST /api/consumer/analytics/order-feedback", Consumer),
    ("POST /api/consumer/analytics/user-feedback", Consumer),
    ("GET /api/consumer/payments/list", Consumer),
    ("GET /api/consumer/payment", Consumer),
    ("POST /api/consumer/payment/add-card", Consumer),
    ("POST /api/consumer/payment/delete", Consumer),
    ("POST /api/consumer/payment/set-default", Consumer),
    ("POST /api/consumer/payment/unset-default", Consumer),
    ("POST /api/consumer/payment/save", Consumer),
    ("GET /api/consumer/payment/add-bank/", Consumer),
    ("POST /api/consumer/user/bank-account", Consumer),
    ("GET /api/consumer/payment/failed-payments", Consumer),
    ("POST /api/consumer/payment/update-failed-payments", Consumer),
    ("POST /api/stripe/card/secret", Consumer),
    ("GET /api/stripe/script", Consumer),
    ("GET /api/consumer/user/wallet", Consumer),
    ("GET /api/consumer/user/transaction-history", Consumer),
    ("GET /api/consumer/user/wallet/add-funds", Consumer),
    ("POST /api/consumer/payment/upload", Consumer),
    ("POST /api/consumer/user/settings/autoReload", Consumer),
    ("GET /api/consumer/user/pin", Consumer),
    ("GET /api/consumer/payments/loyalty-cards", Consumer),
    ("POST /api/consumer/gift-card", Consumer),
    ("POST /api/consumer/user/gift-card", Consumer),
    ("POST /api/consumer/gift-card/link-gift-card", Consumer),
    ("GET /api/consumer/gift-card/deals", Consumer),
    ("POST /api/consumer/company-gift-card/purchase", Consumer),
    ("POST /api/consumer/company-gift-card/activate", Consumer),
    ("POST /api/consumer/company-gift-card/deactivate", Consumer),
    ("GET /api/consumer/company-gift-card/details", Consumer),
    ("GET /api/consumer/company-gift-card/history", Consumer),
    ("GET /api/consumer/company-gift-card/orders", Consumer),
    ("GET /api/consumer/company-gift-card/uploads", Consumer),
    ("GET /api/consumer/user/points", Consumer),
    ("GET /api/consumer/user/rewards", Consumer),
    ("GET /api/consumer/user/offers", Consumer),
    ("GET /api/consumer/user/offer", Consumer),
    ("POST /api/consumer/user/challenges/claim", Consumer),
    ("GET /api/consumer/inbox/list", Consumer),
    ("POST /api/consumer/inbox/mark-as-seen", Consumer),
    ("POST /api/consumer/inbox/remove", Consumer),
    ("GET /api/consumer/share-code", Public),
    ("GET /api/consumer/landing-page/", Public),
    ("GET /api/consumer/landing-page/inactive-users/", Public),
    ("GET /api/build", Public),
    ("POST /store-api/staff/sign-in", Public),
    ("POST /store-api/staff/sign-out", Store),
    ("GET /store-api/staff/session", Store),
    ("GET /store-api/queue", Store),
    ("GET /store-api/queue/events", Store),
    ("POST /store-api/orders/{id}/accept", Store),
    ("POST /store-api/orders/{id}/start", Store),
    ("POST /store-api/orders/{id}/ready", Store),
    ("POST /store-api/orders/{id}/complete", Store),
    ("POST /store-api/orders/{id}/reject", Store),
    ("POST /store-api/orders/{id}/delay", Store),
    ("POST /store-api/stores/{id}/pause", Store),
    ("POST /store-api/stores/{id}/resume", Store),
    ("POST /store-api/stores/{id}/counter-payments", Store),
    ("POST /store-api/stores/{id}/availability", Store),
    ("POST /store-api/orders/{id}/reschedule", Store),
    ("GET /store-api/stores/{id}/scheduled-orders", Store),
    ("GET /store-api/stores/{id}/menu", Store),
    ("GET /store-api/stores/{id}/schedule", Store),
    ("POST /store-api/stores/{id}/hours", Store),
    ("POST /store-api/stores/{id}/special-day", Store),
    ("POST /store-api/stores/{id}/delete-special-day", Store),
    ("POST /store-api/stores/{id}/baristas", Store),
    ("GET /store-api/stores/{id}/load", Store),
    ("GET /store-api/stores/{id}/summary", Store),
    ("POST /webhooks/payments", Provider),
];

/// Returns all calls of the committed OpenAPI document.
fn documented_calls() -> Vec<String> {
    let document: serde_json::Value = serde_json::from_str(include_str!("../../openapi.json")).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let calls = paths.iter().flat_map(|(path, item)| {
        item.as_object()
            .unwrap()
            .keys()
            .map(move |method| format!("{} {path}", method.to_uppercase()))
    });
    calls.collect()
}

#[tokio::test]
async fn without_a_session_only_public_calls_respond() {
    let services = FakeServices::start().await;
    let gateway = Gateway::start(&services).await;
    let listed: BTreeMap<&str, Access> = CALLS.into_iter().collect();
    let documented = documented_calls();
    assert_eq!(documented.len(), listed.len());
    for call in documented {
        let access = listed
            .get(&*call)
            .unwrap_or_else(|| panic!("{call} is not listed"));
        let (method, path) = call.split_once(' ').unwrap();
        let method: Method = method.parse().unwrap();
        let (status, body) = status_and_body(
            gateway
                .request(method, &path.replace("{id}", "x"))
                .send()
                .await
                .unwrap(),
        )
        .await;
        match access {
            Consumer | Store => {
                assert_eq!(
                    (status, body["reason"].as_str()),
                    (401, Some("UNAUTHENTICATED")),
                    "{call}"
                );
            }
            // Without parameters the response is 400; without a reply of the service, 503.
            Public | Provider => assert!(matches!(status, 200 | 400 | 503), "{call}: {status} {body}"),
        }
    }
}

#[tokio::test]
async fn the_id_of_another_consumer_is_rejected_in_query_and_body() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let gateway = Gateway::start(&services).await;
    let token = new_token();
    let path = "/api/consumer/order/active-orders?userId=usr_01h455vb4pex5vsknk084sn02r";
    let (status, body) = status_and_body(gateway.get(path).with_session(&token).send().await.unwrap()).await;
    assert_eq!((status, body["reason"].as_str()), (403, Some("FORBIDDEN")));
    let other_id = json!({"firstName": "Ada", "userId": "usr_01h455vb4pex5vsknk084sn02r"});
    let request = gateway
        .post("/api/consumer/user/name", &other_id)
        .with_session(&token);
    assert_eq!(status_and_body(request.send().await.unwrap()).await.0, 403);
    // A second id and an id of another type are rejected as well.
    let path = "/api/consumer/order/active-orders?userId=usr_01h455vb4pex5vsknk084sn02q&userId=usr_01h455vb4pex5vsknk084sn02r";
    let (status, _) = status_and_body(gateway.get(path).with_session(&token).send().await.unwrap()).await;
    assert_eq!(status, 400);
    let not_text = json!({"firstName": "Ada", "userId": 1});
    let request = gateway
        .post("/api/consumer/user/name", &not_text)
        .with_session(&token);
    assert_eq!(status_and_body(request.send().await.unwrap()).await.0, 400);
    assert!(services.calls("SetName").is_empty() && services.calls("ListActiveOrders").is_empty());
}

#[tokio::test]
async fn state_changing_calls_must_come_from_an_allowed_origin() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let gateway = Gateway::start(&services).await;
    let url = format!("{}/api/consumer/payment/unset-default", gateway.url);
    let token = new_token();
    let bare = || gateway.client.post(&url).with_session(&token);
    for (request, reason) in [
        (bare().header("x-correlation-id", "a"), "ORIGIN_NOT_ALLOWED"),
        (
            bare()
                .header("x-correlation-id", "a")
                .header("origin", "https://evil.example"),
            "ORIGIN_NOT_ALLOWED",
        ),
        (
            bare().header("x-correlation-id", "a").header("origin", "null"),
            "ORIGIN_NOT_ALLOWED",
        ),
        (
            bare().header("origin", crate::harness::ORIGIN),
            "CORRELATION_ID_MISSING",
        ),
    ] {
        let (_, body) = status_and_body(request.send().await.unwrap()).await;
        assert_eq!(body["reason"], reason);
    }
    // Browsers never send two origins.
    for origins in [
        [crate::harness::ORIGIN, "https://evil.example"],
        ["https://evil.example", crate::harness::ORIGIN],
    ] {
        let request = origins
            .iter()
            .fold(bare().header("x-correlation-id", "a"), |request, origin| {
                request.header("origin", *origin)
            });
        let (_, body) = status_and_body(request.send().await.unwrap()).await;
        assert_eq!(body["reason"], "ORIGIN_NOT_ALLOWED", "{origins:?}");
    }
    assert!(services.calls("UnsetDefaultPaymentMethod").is_empty());
}

#[tokio::test]
async fn a_wrong_caller_secret_is_an_internal_error_and_ends_no_session() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let other = [("CALLER_SECRET", "a-secret-that-the-services-do-not-have")];
    let gateway = Gateway::start_with(&services, &other).await;
    let token = new_token();
    let login = json!({"phone": "+12135550100"});
    for request in [
        gateway.get("/api/consumer/user/profile").with_session(&token),
        gateway.get("/api/consumer/stores/list").with_session(&token),
        gateway.get("/api/consumer/stores/list"),
        gateway.post("/api/consumer/authentication/login", &login),
        gateway
            .get("/store-api/queue")
            .header("authorization", "Bearer x"),
    ] {
        let response = request.send().await.unwrap();
        assert!(!response.headers().contains_key("set-cookie"));
        let (status, body) = status_and_body(response).await;
        assert_eq!((status, body["reason"].as_str()), (500, Some("INTERNAL")));
        assert!(!body.to_string().contains("CALLER_SECRET"), "{body}");
    }
}

#[tokio::test]
async fn a_wrong_method_is_rejected_before_authentication() {
    let gateway = Gateway::start(&FakeServices::start().await).await;
    for call in documented_calls() {
        let (method, path) = call.split_once(' ').unwrap();
        let (wrong, right) = if method == "GET" {
            (Method::POST, "GET,HEAD")
        } else {
            (Method::GET, "POST")
        };
        let url = format!("{}{}", gateway.url, path.replace("{id}", "x"));
        for wrong in [wrong, Method::DELETE, Method::OPTIONS] {
            let response = gateway.client.request(wrong.clone(), &url).send().await.unwrap();
            let allow = response.headers().get("allow").cloned();
            assert_eq!(
                (
                    response.status().as_u16(),
                    allow.as_ref().map(http::HeaderValue::as_bytes)
                ),
                (405, Some(right.as_bytes())),
                "{wrong} {path}"
            );
            assert_eq!(
                status_and_body(response).await.1["reason"],
                "METHOD_NOT_ALLOWED",
                "{wrong} {path}"
            );
        }
    }
    for path in ["/health/live", "/health/ready"] {
        let url = format!("{}{path}", gateway.url);
        let (status, body) = status_and_body(gateway.client.post(url).send().await.unwrap()).await;
        assert_eq!(
            (status, body["reason"].as_str()),
            (405, Some("METHOD_NOT_ALLOWED"))
        );
    }
}
