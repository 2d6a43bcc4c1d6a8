//! Who may call what. Each call stands here with who may make it; one that does not stand here fails the test.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::json;

use crate::gateway::{Act, Gateway, everybody_is_signed_in, token, told};
use crate::services::Services;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Anybody,
    Consumer,
    Store,
    Provider,
}
use Who::{Anybody, Consumer, Provider, Store};

const CALLS: [(&str, Who); 57] = [
    ("POST /api/consumer/authentication/login", Anybody),
    ("POST /api/consumer/authentication/verify", Anybody),
    ("POST /api/consumer/authentication/logout", Consumer),
    ("GET /api/consumer/user/profile", Consumer),
    ("GET /api/consumer/user/info", Consumer),
    ("POST /api/consumer/user/name", Consumer),
    ("GET /api/consumer/user/my-joe", Consumer),
    ("GET /api/consumer/stores/list", Anybody),
    ("GET /api/consumer/stores/map", Anybody),
    ("GET /api/consumer/stores/search", Anybody),
    ("GET /api/consumer/store/card", Anybody),
    ("GET /api/consumer/store/info", Anybody),
    ("GET /api/consumer/store/status", Anybody),
    ("GET /api/consumer/store/menu/categories", Anybody),
    ("GET /api/consumer/store/menu", Anybody),
    ("GET /api/consumer/store/pickup-options", Anybody),
    ("GET /api/consumer/item/details", Anybody),
    ("GET /api/consumer/item/sizes", Anybody),
    ("GET /api/consumer/item/modifications", Anybody),
    ("POST /api/consumer/store/favorite", Consumer),
    ("POST /api/consumer/store/unfavorite", Consumer),
    ("POST /api/consumer/order/pricing", Consumer),
    ("POST /api/consumer/order/create", Consumer),
    ("POST /api/consumer/order/cancel", Consumer),
    ("GET /api/consumer/order/status", Consumer),
    ("GET /api/consumer/order/active", Consumer),
    ("GET /api/consumer/order/active-orders", Consumer),
    ("GET /api/consumer/order/repeat", Consumer),
    ("GET /api/consumer/order/events", Consumer),
    ("POST /api/consumer/order/user-arrived", Consumer),
    ("GET /api/consumer/user/orders", Consumer),
    ("GET /api/consumer/user/cart", Consumer),
    ("POST /api/consumer/user/save-cart", Consumer),
    ("GET /api/consumer/payments/list", Consumer),
    ("GET /api/consumer/payment", Consumer),
    ("POST /api/consumer/payment/add-card", Consumer),
    ("POST /api/consumer/payment/delete", Consumer),
    ("POST /api/consumer/payment/set-default", Consumer),
    ("POST /api/consumer/payment/unset-default", Consumer),
    ("POST /api/stripe/card/secret", Consumer),
    ("GET /api/consumer/user/wallet", Consumer),
    ("GET /api/consumer/user/transaction-history", Consumer),
    ("GET /api/consumer/user/points", Consumer),
    ("GET /api/consumer/user/rewards", Consumer),
    ("GET /api/consumer/inbox/list", Consumer),
    ("POST /api/consumer/inbox/mark-as-seen", Consumer),
    ("POST /api/consumer/inbox/remove", Consumer),
    ("GET /api/build", Anybody),
    ("GET /store-api/queue", Store),
    ("POST /store-api/orders/{id}/accept", Store),
    ("POST /store-api/orders/{id}/start", Store),
    ("POST /store-api/orders/{id}/ready", Store),
    ("POST /store-api/orders/{id}/complete", Store),
    ("POST /store-api/orders/{id}/reject", Store),
    ("POST /store-api/stores/{id}/pause", Store),
    ("POST /store-api/stores/{id}/resume", Store),
    ("POST /webhooks/payments", Provider),
];

/// Every call of the committed document.
fn documented() -> Vec<String> {
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
async fn nobody_gets_only_what_is_for_anybody() {
    let services = Services::start().await;
    let gateway = Gateway::start(&services).await;
    let listed: BTreeMap<&str, Who> = CALLS.into_iter().collect();
    let documented = documented();
    assert_eq!(documented.len(), listed.len());
    for call in documented {
        let who = listed
            .get(&*call)
            .unwrap_or_else(|| panic!("{call} is not listed: who may make it?"));
        let (method, path) = call.split_once(' ').unwrap();
        let method: Method = method.parse().unwrap();
        let (status, body) = told(
            gateway
                .request(method, &path.replace("{id}", "x"))
                .send()
                .await
                .unwrap(),
        )
        .await;
        match who {
            Consumer | Store => {
                assert_eq!(
                    (status, body["reason"].as_str()),
                    (401, Some("UNAUTHENTICATED")),
                    "{call}"
                );
            }
            // Asked for nothing in particular they complain of that, or their service is away.
            Anybody | Provider => assert!(matches!(status, 200 | 400 | 503), "{call}: {status} {body}"),
        }
    }
}

#[tokio::test]
async fn somebody_elses_id_is_refused_in_query_and_body() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    let gateway = Gateway::start(&services).await;
    let token = token();
    let path = "/api/consumer/order/active-orders?userId=usr_01h455vb4pex5vsknk084sn02r";
    let (status, body) = told(gateway.get(path).by_consumer(&token).send().await.unwrap()).await;
    assert_eq!((status, body["reason"].as_str()), (403, Some("FORBIDDEN")));
    let named = json!({"firstName": "Ada", "userId": "usr_01h455vb4pex5vsknk084sn02r"});
    let request = gateway
        .post("/api/consumer/user/name", &named)
        .by_consumer(&token);
    assert_eq!(told(request.send().await.unwrap()).await.0, 403);
    // Neither hidden behind one's own, nor as something that is no text.
    let path = "/api/consumer/order/active-orders?userId=usr_01h455vb4pex5vsknk084sn02q&userId=usr_01h455vb4pex5vsknk084sn02r";
    let (status, _) = told(gateway.get(path).by_consumer(&token).send().await.unwrap()).await;
    assert_eq!(status, 400);
    let numbered = json!({"firstName": "Ada", "userId": 1});
    let request = gateway
        .post("/api/consumer/user/name", &numbered)
        .by_consumer(&token);
    assert_eq!(told(request.send().await.unwrap()).await.0, 400);
    assert!(services.seen("SetName").is_empty() && services.seen("ListActiveOrders").is_empty());
}

#[tokio::test]
async fn state_changes_from_our_own_pages_only() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    let gateway = Gateway::start(&services).await;
    let url = format!("{}/api/consumer/payment/unset-default", gateway.url);
    let token = token();
    let bare = || gateway.client.post(&url).by_consumer(&token);
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
            bare().header("origin", crate::gateway::ORIGIN),
            "CORRELATION_ID_MISSING",
        ),
    ] {
        let (_, body) = told(request.send().await.unwrap()).await;
        assert_eq!(body["reason"], reason);
    }
    // Two origins are none: somebody in between has put one there.
    for origins in [
        [crate::gateway::ORIGIN, "https://evil.example"],
        ["https://evil.example", crate::gateway::ORIGIN],
    ] {
        let request = origins
            .iter()
            .fold(bare().header("x-correlation-id", "a"), |request, origin| {
                request.header("origin", *origin)
            });
        let (_, body) = told(request.send().await.unwrap()).await;
        assert_eq!(body["reason"], "ORIGIN_NOT_ALLOWED", "{origins:?}");
    }
    assert!(services.seen("UnsetDefaultPaymentMethod").is_empty());
}

#[tokio::test]
async fn a_secret_that_the_services_do_not_share_signs_nobody_out() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    let other = [("CALLER_SECRET", "a-secret-that-only-this-gateway-was-told")];
    let gateway = Gateway::start_with(&services, &other).await;
    let token = token();
    let login = json!({"phone": "+12135550100"});
    for request in [
        gateway.get("/api/consumer/user/profile").by_consumer(&token),
        gateway.get("/api/consumer/stores/list").by_consumer(&token),
        gateway.get("/api/consumer/stores/list"),
        gateway.post("/api/consumer/authentication/login", &login),
        gateway
            .get("/store-api/queue")
            .header("authorization", "Bearer x"),
    ] {
        let response = request.send().await.unwrap();
        assert!(!response.headers().contains_key("set-cookie"));
        let (status, body) = told(response).await;
        assert_eq!((status, body["reason"].as_str()), (500, Some("INTERNAL")));
        assert!(!body.to_string().contains("CALLER_SECRET"), "{body}");
    }
}

#[tokio::test]
async fn a_wrong_method_is_named_before_anything_else_is_asked() {
    let gateway = Gateway::start(&Services::start().await).await;
    for call in documented() {
        let (method, path) = call.split_once(' ').unwrap();
        let (wrong, right) = if method == "GET" {
            (Method::POST, "GET,HEAD")
        } else {
            (Method::GET, "POST")
        };
        let url = format!("{}{}", gateway.url, path.replace("{id}", "x"));
        for wrong in [wrong, Method::DELETE, Method::OPTIONS] {
            let response = gateway.client.request(wrong.clone(), &url).send().await.unwrap();
            let allowed = response.headers().get("allow").cloned();
            assert_eq!(
                (
                    response.status().as_u16(),
                    allowed.as_ref().map(|value| value.as_bytes())
                ),
                (405, Some(right.as_bytes())),
                "{wrong} {path}"
            );
            assert_eq!(
                told(response).await.1["reason"],
                "METHOD_NOT_ALLOWED",
                "{wrong} {path}"
            );
        }
    }
    for path in ["/health/live", "/health/ready"] {
        let url = format!("{}{path}", gateway.url);
        let (status, body) = told(gateway.client.post(url).send().await.unwrap()).await;
        assert_eq!(
            (status, body["reason"].as_str()),
            (405, Some("METHOD_NOT_ALLOWED"))
        );
    }
}
