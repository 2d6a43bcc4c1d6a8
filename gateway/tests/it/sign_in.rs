//! Sign-in, sessions and their cookie.

use proto::accounts::v1::{
    EndSessionRequest, EndSessionResponse, ForgetDeviceRequest, ForgetDeviceResponse, ListSessionsRequest,
    LoginRequest, LoginResponse, LogoutRequest, LogoutResponse, Profile, SessionList, SignedInDevice,
    VerifyRequest, VerifyResponse,
};
use proto::rewards::v1::{GetPointsRequest, Points};
use proto::stores::v1::{ListStoresRequest, ListStoresResponse};
use reqwest::Response;
use serde_json::json;

use crate::fake_services::FakeServices;
use crate::harness::{CONSUMER, Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

/// Returns the cookies that a response sets.
fn cookies(response: &Response) -> Vec<&str> {
    let lines = response.headers().get_all("set-cookie").iter();
    lines.map(|line| line.to_str().unwrap()).collect()
}

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
    let device = cookies(&login)[1].split(';').next().unwrap().to_owned();
    let verify = gateway.post(
        "/api/consumer/authentication/verify",
        &json!({"phone": "+12135550100", "code": "123456"}),
    );
    let verify = verify.header("user-agent", "Firefox/132.0");
    let response = verify.header("cookie", &device).send().await.unwrap();
    assert_eq!(
        cookies(&response),
        [
            "session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure",
            "session=tok; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure; Domain=example.com"
        ]
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
    assert_eq!(verify.user_agent, "Firefox/132.0");
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

/// A browser sends the cookie of the host first, so that it would be signed out for as long as it has the cookie of an ended session.
#[tokio::test]
async fn after_the_domain_of_cookies_was_set_sign_out_removes_the_cookie_of_the_host_too() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("Logout", |_: LogoutRequest| Ok(LogoutResponse {}));
    let gateway = Gateway::start_with(&services, &[("COOKIE_DOMAIN", "example.com")]).await;
    let logout = gateway.post("/api/consumer/authentication/logout", &json!({}));
    let response = logout.with_session(&new_token()).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(
        cookies(&response),
        [
            "session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure",
            "session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure; Domain=example.com"
        ]
    );
}

#[tokio::test]
async fn a_logout_that_failed_is_repeated() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetPoints", |_: GetPointsRequest| Ok(Points::default()));
    services.on("Logout", |_: LogoutRequest| -> Result<LogoutResponse, _> {
        Err(tonic::Status::unavailable("down"))
    });
    let gateway = Gateway::start(&services).await;
    let token = new_token();
    let points = || gateway.get("/api/consumer/user/points").with_session(&token);
    let logout = || {
        let call = gateway.post("/api/consumer/authentication/logout", &json!({}));
        call.with_session(&token).send()
    };
    assert_eq!(points().send().await.unwrap().status(), 200);
    let failed = logout().await.unwrap();
    assert_eq!((failed.status().as_u16(), cookies(&failed)), (503, Vec::new()));
    services.on("Logout", |_: LogoutRequest| Ok(LogoutResponse {}));
    let repeated = logout().await.unwrap();
    let removed = "session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure";
    assert_eq!(
        (repeated.status().as_u16(), cookies(&repeated)),
        (200, vec![removed])
    );
    assert_eq!(points().send().await.unwrap().status(), 401);
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

#[tokio::test]
async fn the_cookie_of_the_device_is_renewed_with_that_of_the_session() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetPoints", |_: GetPointsRequest| Ok(Points::default()));
    let gateway = Gateway::start(&services).await;
    let (token, device) = (new_token(), new_token());
    let sent = format!("session={token}; device={device}");
    let request = gateway.get("/api/consumer/user/points").header("cookie", sent);
    let response = request.send().await.unwrap();
    let attributes = "HttpOnly; SameSite=Lax; Secure";
    assert_eq!(
        cookies(&response),
        [
            format!("session={token}; Path=/; Max-Age=7776000; {attributes}"),
            format!("device={device}; Path=/; Max-Age=34560000; {attributes}")
        ]
    );
}

/// Home preloads the stores, so a public call is often the one that looks the session up.
#[tokio::test]
async fn the_cookie_is_renewed_after_a_public_call_has_looked_the_session_up() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("ListStores", |_: ListStoresRequest| {
        Ok(ListStoresResponse::default())
    });
    services.on("GetPoints", |_: GetPointsRequest| Ok(Points::default()));
    let gateway = Gateway::start(&services).await;
    let token = new_token();
    let get = |path: &str| gateway.get(path).with_session(&token).send();
    let stores = get("/api/consumer/stores/list?take=3").await.unwrap();
    assert_eq!(stores.status(), 200);
    assert_eq!(services.calls("GetSession").len(), 1);
    let points = get("/api/consumer/user/points").await.unwrap();
    assert_eq!(services.calls("GetSession").len(), 1);
    let cookie = points.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with(&format!("session={token}; ")), "{cookie}");
}

#[tokio::test]
async fn rejected_calls_of_one_address_do_not_count_against_the_limit_in_all() {
    let services = FakeServices::start().await;
    services.on("Login", |_: LoginRequest| Ok(LoginResponse::default()));
    // Other tests count in the same window.
    let redis = format!("{}/9", crate::harness::redis_url());
    let settings = [
        ("SIGN_IN_LIMIT_PER_ADDRESS", "3"),
        ("SIGN_IN_LIMIT_IN_ALL", "6"),
        ("REDIS_URL", &redis),
    ];
    let (attacker, other) = (
        Gateway::start_with(&services, &settings).await,
        Gateway::start_with(&services, &settings).await,
    );
    let client = redis::Client::open(redis.as_str()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    redis::cmd("DEL")
        .arg("window:login")
        .query_async::<()>(&mut connection)
        .await
        .unwrap();
    let login = async |gateway: &Gateway| {
        let phone = json!({"phone": "+12135550100"});
        let request = gateway.post("/api/consumer/authentication/login", &phone);
        request.send().await.unwrap().status().as_u16()
    };
    for _ in 0..20 {
        login(&attacker).await;
    }
    assert_eq!([login(&attacker).await, login(&other).await], [429, 200]);
}

#[tokio::test]
async fn sessions_are_listed_and_ended_for_the_signed_in_consumer() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("ListSessions", |_: ListSessionsRequest| {
        let session = SignedInDevice {
            session_id: "ses_01h455vb4pex5vsknk084sn02r".into(),
            device_name: "Safari on iPhone".into(),
            signed_in_at: "2026-11-20T16:00:00Z".into(),
            last_seen_at: "2026-11-21T16:00:00Z".into(),
            is_current: true,
        };
        Ok(SessionList {
            sessions: vec![session],
            known_devices: Vec::new(),
        })
    });
    services.on("EndSession", |_: EndSessionRequest| Ok(EndSessionResponse {}));
    services.on("ForgetDevice", |_: ForgetDeviceRequest| {
        Ok(ForgetDeviceResponse {})
    });
    let gateway = Gateway::start(&services).await;
    let token = new_token();
    let list = gateway.get("/api/consumer/user/sessions").with_session(&token);
    let (_, body) = status_and_body(list.send().await.unwrap()).await;
    let session = &body["data"]["sessions"][0];
    assert_eq!(
        (&session["deviceName"], &session["isCurrent"]),
        (&json!("Safari on iPhone"), &json!(true))
    );
    let id = &session["sessionId"];
    for (path, body) in [
        ("/api/consumer/user/end-session", json!({"sessionId": id})),
        ("/api/consumer/user/forget-device", json!({"deviceId": "0a"})),
    ] {
        let request = gateway.post(path, &body).with_session(&token);
        assert_eq!(request.send().await.unwrap().status(), 200);
    }
    let ended: EndSessionRequest = services.calls("EndSession")[0].decode();
    assert_eq!(json!(ended.session_id), *id);
    let forgotten: ForgetDeviceRequest = services.calls("ForgetDevice")[0].decode();
    assert_eq!(forgotten.device_id, "0a");
}
