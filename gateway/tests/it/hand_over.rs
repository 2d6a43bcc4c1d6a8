//! Hand-over codes: sessions that move between the native app and its web view.

use std::path::PathBuf;

use kit::{ErrorCode, ServiceError};
use proto::accounts::v1::{
    CreateHandOverCodeRequest, ExchangeHandOverCodeRequest, GetSessionRequest, HandOverCode, LogoutRequest,
    LogoutResponse, Profile, Session, VerifyResponse,
};
use proto::rewards::v1::{GetPointsRequest, Points};
use proto::values::v1::JourneyStep;
use reqwest::{Response, redirect};
use serde_json::json;

use crate::fake_services::FakeServices;
use crate::harness::{
    CONSUMER, Gateway, SESSION, WithSession, accept_all_sessions, new_token, status_and_body,
};

const EXCHANGE: &str = "/api/consumer/authentication/exchange-hand-over-code";

/// Accepts the code "valid", for the consumer of all sessions.
fn accept_code(services: &FakeServices) {
    services.on("ExchangeHandOverCode", |request: ExchangeHandOverCodeRequest| {
        let error = |code, reason| Err(ServiceError::new(code, reason, "No.").into());
        match request.code.as_str() {
            "valid" => Ok(VerifyResponse {
                session_token: "new".into(),
                profile: Some(Profile::default()),
                ..Default::default()
            }),
            "other" if request.replaces_consumer => Ok(VerifyResponse::default()),
            "other" => error(ErrorCode::Conflict, "OTHER_CONSUMER_SIGNED_IN"),
            _ => error(ErrorCode::RuleViolation, "HAND_OVER_CODE_INVALID"),
        }
    });
    services.on("Logout", |_: LogoutRequest| Ok(LogoutResponse {}));
}

fn write_build() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gateway-web-{}", new_token()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("index.html"),
        "<html><head></head><body>page</body></html>",
    )
    .unwrap();
    std::fs::write(folder.join("routes.json"), r#"["/", "/checkout"]"#).unwrap();
    folder
}

async fn start_with_pages(services: &FakeServices) -> Gateway {
    let folder = write_build();
    let mut gateway = Gateway::start_with(services, &[("WEB_DIST", folder.to_str().unwrap())]).await;
    gateway.client = reqwest::Client::builder()
        .redirect(redirect::Policy::none())
        .build()
        .unwrap();
    gateway
}

async fn open(gateway: &Gateway, path: &str, token: Option<&str>) -> Response {
    let request = gateway.get(path).header("accept", "text/html");
    let request = match token {
        Some(token) => request.with_session(token),
        None => request,
    };
    request.send().await.unwrap()
}

#[tokio::test]
async fn a_page_with_a_code_sets_the_cookie_and_redirects_without_the_code() {
    let services = FakeServices::start().await;
    accept_code(&services);
    let gateway = start_with_pages(&services).await;
    let response = open(&gateway, "/checkout?a=1&session=valid", None).await;
    assert_eq!(response.status(), 303);
    assert_eq!(response.headers()["location"], "/checkout?a=1");
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert_eq!(response.headers()["referrer-policy"], "no-referrer");
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("session=new; Path=/; "), "{cookie}");

    let invalid = open(&gateway, "/checkout?session=used", None).await;
    assert_eq!(
        (invalid.status().as_u16(), &invalid.headers()["location"]),
        (303, &"/checkout".parse().unwrap())
    );
    assert!(!invalid.headers().contains_key("set-cookie"));
}

#[tokio::test]
async fn the_previous_session_of_the_same_consumer_ends() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    accept_code(&services);
    let gateway = start_with_pages(&services).await;
    let old = new_token();
    assert_eq!(open(&gateway, "/?session=valid", Some(&old)).await.status(), 303);
    let exchange: ExchangeHandOverCodeRequest = services.calls("ExchangeHandOverCode")[0].decode();
    assert_eq!(
        (&*exchange.current_consumer_id, exchange.replaces_consumer),
        (CONSUMER, false)
    );
    let ended: LogoutRequest = services.calls("Logout")[0].decode();
    assert_eq!(ended.session_token, old);
}

#[tokio::test]
async fn another_signed_in_consumer_is_replaced_only_after_confirmation() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    accept_code(&services);
    let gateway = start_with_pages(&services).await;
    let token = new_token();
    let page = open(&gateway, "/?session=other", Some(&token)).await;
    assert_eq!(page.status(), 200);
    assert!(!page.headers().contains_key("set-cookie"));
    let post = async |body: serde_json::Value| {
        let request = gateway.post(EXCHANGE, &body).with_session(&token);
        request.send().await.unwrap()
    };
    let (status, body) = status_and_body(post(json!({ "code": "other" })).await).await;
    assert_eq!(
        (status, body["reason"].as_str()),
        (409, Some("OTHER_CONSUMER_SIGNED_IN"))
    );
    assert!(services.calls("Logout").is_empty());
    let confirmed = post(json!({ "code": "other", "replacesConsumer": true })).await;
    assert_eq!(confirmed.status(), 200);
    assert!(confirmed.headers().contains_key("set-cookie"));
    assert_eq!(services.calls("Logout").len(), 1);
}

#[tokio::test]
async fn a_code_is_not_used_while_another_consumer_may_be_signed_in() {
    let services = FakeServices::start().await;
    accept_code(&services);
    let gateway = start_with_pages(&services).await;
    let token = new_token();
    let page = open(&gateway, "/?session=valid", Some(&token)).await;
    assert_eq!(page.status(), 200);
    let exchange = gateway.post(EXCHANGE, &json!({ "code": "valid" }));
    let response = exchange.with_session(&token).send().await.unwrap();
    assert_eq!(response.status(), 503);
    assert!(!response.headers().contains_key("set-cookie"));
    assert!(services.calls("ExchangeHandOverCode").is_empty());
}

#[tokio::test]
async fn a_code_on_an_unknown_page_is_not_used() {
    let services = FakeServices::start().await;
    accept_code(&services);
    let gateway = start_with_pages(&services).await;
    assert_eq!(open(&gateway, "/unknown?session=valid", None).await.status(), 404);
    // A link preview.
    let preview = gateway.get("/?session=valid").send().await.unwrap();
    assert_eq!(preview.status(), 200);
    assert!(services.calls("ExchangeHandOverCode").is_empty());
}

#[tokio::test]
async fn a_code_is_created_with_the_key_of_the_app() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("CreateHandOverCode", |_: CreateHandOverCodeRequest| {
        Ok(HandOverCode {
            code: "c".into(),
            expires_after_seconds: 60,
        })
    });
    let gateway = Gateway::start(&services).await;
    let token = new_token();
    let path = "/api/consumer/authentication/create-hand-over-code";
    let create = gateway.post(path, &json!({ "appKey": "k" })).with_session(&token);
    let (_, body) = status_and_body(create.send().await.unwrap()).await;
    assert_eq!(body["data"], json!({ "code": "c", "expiresAfterSeconds": 60 }));
    let without_body = gateway.request(reqwest::Method::POST, path).with_session(&token);
    assert_eq!(without_body.send().await.unwrap().status(), 200);
    let keys: Vec<_> = services
        .calls("CreateHandOverCode")
        .iter()
        .map(|call| call.decode::<CreateHandOverCodeRequest>().app_key)
        .collect();
    assert_eq!(keys, ["k", ""]);
}

#[tokio::test]
async fn the_journey_step_is_that_of_the_session() {
    let services = FakeServices::start().await;
    services.on("GetPoints", |request: GetPointsRequest| {
        let points_per_unit = match request.journey_step() {
            JourneyStep::App => 20,
            _ => 10,
        };
        Ok(Points {
            points_per_unit,
            ..Default::default()
        })
    });
    for (step, expected, points_per_unit) in [
        (JourneyStep::App, "app", 20),
        (JourneyStep::Web, "web", 10),
        // Accounts of an earlier release.
        (JourneyStep::Unspecified, "web", 10),
    ] {
        services.on("GetSession", move |_: GetSessionRequest| {
            Ok(Session {
                consumer_id: CONSUMER.to_owned(),
                session_id: SESSION.to_owned(),
                journey_step: step.into(),
                ..Default::default()
            })
        });
        let gateway = Gateway::start(&services).await;
        let token = new_token();
        // Then from the cache.
        for _ in 0..2 {
            let request = gateway
                .get("/api/consumer/user/journey-step")
                .with_session(&token);
            let (_, body) = status_and_body(request.send().await.unwrap()).await;
            assert_eq!(body["data"]["journeyStep"], expected);
        }
        let request = gateway.get("/api/consumer/user/points").with_session(&token);
        let (_, body) = status_and_body(request.send().await.unwrap()).await;
        assert_eq!(body["data"]["pointsPerUnit"], points_per_unit);
    }
}
