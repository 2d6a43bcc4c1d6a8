//! Sign-in, sessions and their cookie.

use proto::accounts::v1::{
    LoginRequest, LoginResponse, LogoutRequest, LogoutResponse, Profile, VerifyRequest, VerifyResponse,
};
use proto::rewards::v1::{GetPointsRequest, Points};
use serde_json::json;

use crate::fake_services::FakeServices;
use crate::harness::{CONSUMER, Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

#[tokio::test]
async fn a_code_is_exchanged_for_an_http_only_cookie() {
    let services = FakeServices::start().await;
    services.on("Login", |_: LoginRequest| {
        Ok(LoginResponse {
            phone: "+12135550100".into(),
            ..Default::default()
        })
    });
    services.on("Verify", |request: VerifyRequest| {
        assert_eq!((&*request.phone, &*request.code), ("+12135550100", "123456"));
        let profile = Some(Profile {
            consumer_id: CONSUMER.to_owned(),
            ..Default::default()
        });
        Ok(VerifyResponse {
            session_token: "tok".into(),
            needs_name: true,
            profile,
            ..Default::default()
        })
    });
    let gateway = Gateway::start_with(&services, &[("COOKIE_DOMAIN", "example.com")]).await;
    let login = gateway
        .post(
            "/api/consumer/authentication/login",
            &json!({"phone": "(213) 555-0100"}),
        )
        .send()
        .await
        .unwrap();
    let device = login.headers()["set-cookie"]
        .to_str()
        .unwrap()
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let verify = gateway.post(
        "/api/consumer/authentication/verify",
        &json!({"phone": "+12135550100", "code": "123456"}),
    );
    let response = verify.header("cookie", &device).send().await.unwrap();
    assert_eq!(
        response.headers()["set-cookie"],
        "session=tok; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure; Domain=example.com"
    );
    let (_, body) = status_and_body(response).await;
    assert_eq!(
        (&body["data"]["needsName"], &body["data"]["profile"]["id"]),
        (&json!(true), &json!(CONSUMER))
    );
    let login: LoginRequest = services.calls("Login")[0].decode();
    let verify: VerifyRequest = services.calls("Verify")[0].decode();
    assert_eq!(format!("device={}", login.device_id), device);
    assert_eq!(verify.device_id, login.device_id);
    assert!(login.client_address.starts_with("10."));
}

#[tokio::test]
async fn a_session_is_cached_and_its_end_is_effective_immediately() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetPoints", |_: GetPointsRequest| Ok(Points::default()));
    services.on("Logout", |_: LogoutRequest| Ok(LogoutResponse {}));
    let gateway = Gateway::start(&services).await;
    let other = Gateway::start(&services).await;
    let token = new_token();
    for gateway in [&gateway, &other] {
        let response = gateway
            .get("/api/consumer/user/points")
            .with_session(&token)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 200);
    }
    assert_eq!(services.calls("GetSession").len(), 1);
    let logout = gateway
        .post("/api/consumer/authentication/logout", &json!({}))
        .with_session(&token);
    let response = logout.send().await.unwrap();
    assert!(
        response.headers()["set-cookie"]
            .to_str()
            .unwrap()
            .starts_with("session=; Path=/; Max-Age=0")
    );
    // The fake accounts still returns the session, but every gateway finds the tombstone.
    for gateway in [&gateway, &other] {
        let response = gateway
            .get("/api/consumer/user/points")
            .with_session(&token)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 401);
    }
}

#[tokio::test]
async fn signing_in_again_ends_the_previous_session_of_the_browser() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetPoints", |_: GetPointsRequest| Ok(Points::default()));
    services.on("Verify", |_: VerifyRequest| {
        Ok(VerifyResponse {
            session_token: "new".into(),
            profile: Some(Profile::default()),
            ..Default::default()
        })
    });
    let gateway = Gateway::start(&services).await;
    let old = new_token();
    let points = || gateway.get("/api/consumer/user/points").with_session(&old);
    assert_eq!(points().send().await.unwrap().status(), 200);
    let code = json!({"phone": "+12135550100", "code": "123456"});
    let verify = || {
        gateway
            .post("/api/consumer/authentication/verify", &code)
            .with_session(&old)
    };
    // Sign-in succeeds even if accounts cannot end the previous session.
    assert_eq!(verify().send().await.unwrap().status(), 200);
    services.on("Logout", |_: LogoutRequest| Ok(LogoutResponse {}));
    let response = verify().send().await.unwrap();
    let cookie = response.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.starts_with("session=new; "), "{cookie}");
    let ended: LogoutRequest = services.calls("Logout").last().unwrap().decode();
    assert_eq!(ended.session_token, old);
    assert_eq!(points().send().await.unwrap().status(), 401);
}

#[tokio::test]
async fn sign_in_is_limited_per_address() {
    let services = FakeServices::start().await;
    services.on("Login", |_: LoginRequest| Ok(LoginResponse::default()));
    let gateway = Gateway::start_with(&services, &[("SIGN_IN_LIMIT_PER_ADDRESS", "3")]).await;
    let mut statuses = Vec::new();
    for _ in 0..4 {
        let request = gateway.post(
            "/api/consumer/authentication/login",
            &json!({"phone": "+12135550100"}),
        );
        let response = request.send().await.unwrap();
        statuses.push(response.status().as_u16());
        if response.status() == 429 {
            let wait: u64 = response.headers()["retry-after"]
                .to_str()
                .unwrap()
                .parse()
                .unwrap();
            assert!((1..=600).contains(&wait));
        }
    }
    assert_eq!(statuses, [200, 200, 200, 429]);
    assert_eq!(services.calls("Login").len(), 3);
}

#[tokio::test]
async fn the_cookie_is_renewed_when_accounts_renews_the_session() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetPoints", |_: GetPointsRequest| Ok(Points::default()));
    let gateway = Gateway::start(&services).await;
    let token = new_token();
    let get_points = || {
        gateway
            .get("/api/consumer/user/points")
            .with_session(&token)
            .send()
    };
    let first = get_points().await.unwrap();
    assert!(
        first.headers()["set-cookie"]
            .to_str()
            .unwrap()
            .starts_with(&format!("session={token}; "))
    );
    assert!(!get_points().await.unwrap().headers().contains_key("set-cookie"));
}
