//! Who may call each route. A new route must require a session or a credential, unless it is added to the public calls.

use reqwest::Method;
use serde_json::json;

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

/// Returns the calls that need neither the session of a consumer nor the credential of a store.
fn public_calls() -> Vec<&'static str> {
    let lines = include_str!("data/public-calls.txt").lines();
    lines.filter(|line| !line.starts_with('#')).collect()
}

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
    let documented = documented_calls();
    let public = public_calls();
    for call in &public {
        assert!(documented.iter().any(|documented| documented == call), "{call}");
    }
    for call in documented {
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
        if public.contains(&&*call) {
            // Without parameters the response is 400; without a reply of the service, 503.
            assert!(matches!(status, 200 | 400 | 503), "{call}: {status} {body}");
        } else {
            let reason = body["reason"].as_str();
            assert_eq!((status, reason), (401, Some("UNAUTHENTICATED")), "{call}");
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
