//! The cookie, the cache behind it, and how often anybody may try.

use proto::accounts::v1::{
    LoginRequest, LoginResponse, LogoutRequest, LogoutResponse, Profile, VerifyRequest, VerifyResponse,
};
use proto::rewards::v1::{GetPointsRequest, Points};
use serde_json::json;

use crate::gateway::{Act, CONSUMER, Gateway, everybody_is_signed_in, token, told};
use crate::services::Services;

#[tokio::test]
async fn a_code_is_traded_for_a_cookie_that_no_script_reads() {
    let services = Services::start().await;
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
    let (_, body) = told(response).await;
    assert_eq!(
        (&body["data"]["needsName"], &body["data"]["profile"]["id"]),
        (&json!(true), &json!(CONSUMER))
    );
    let asked: LoginRequest = services.seen("Login")[0].decode();
    let verified: VerifyRequest = services.seen("Verify")[0].decode();
    assert_eq!(format!("device={}", asked.device_id), device);
    assert_eq!(verified.device_id, asked.device_id);
    assert!(asked.client_address.starts_with("10."));
}

#[tokio::test]
async fn a_session_is_asked_for_once_and_its_end_is_known_at_once() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    services.on("GetPoints", |_: GetPointsRequest| Ok(Points::default()));
    services.on("Logout", |_: LogoutRequest| Ok(LogoutResponse {}));
    let gateway = Gateway::start(&services).await;
    let other = Gateway::start(&services).await;
    let token = token();
    for gateway in [&gateway, &other] {
        let response = gateway
            .get("/api/consumer/user/points")
            .by_consumer(&token)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 200);
    }
    assert_eq!(services.seen("GetSession").len(), 1);
    let logout = gateway
        .post("/api/consumer/authentication/logout", &json!({}))
        .by_consumer(&token);
    let response = logout.send().await.unwrap();
    assert!(
        response.headers()["set-cookie"]
            .to_str()
            .unwrap()
            .starts_with("session=; Path=/; Max-Age=0")
    );
    // Accounts would still vouch for it here: the tombstone wins, on every gateway.
    for gateway in [&gateway, &other] {
        let response = gateway
            .get("/api/consumer/user/points")
            .by_consumer(&token)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 401);
    }
}

#[tokio::test]
async fn signing_in_again_ends_the_session_that_the_browser_had() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    services.on("GetPoints", |_: GetPointsRequest| Ok(Points::default()));
    services.on("Verify", |_: VerifyRequest| {
        Ok(VerifyResponse {
            session_token: "new".into(),
            profile: Some(Profile::default()),
            ..Default::default()
        })
    });
    let gateway = Gateway::start(&services).await;
    let old = token();
    let points = || gateway.get("/api/consumer/user/points").by_consumer(&old);
    assert_eq!(points().send().await.unwrap().status(), 200);
    let code = json!({"phone": "+12135550100", "code": "123456"});
    let verify = || {
        gateway
            .post("/api/consumer/authentication/verify", &code)
            .by_consumer(&old)
    };
    // Accounts is just now unable to end it: that keeps nobody from signing in.
    assert_eq!(verify().send().await.unwrap().status(), 200);
    services.on("Logout", |_: LogoutRequest| Ok(LogoutResponse {}));
    let response = verify().send().await.unwrap();
    let cookie = response.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.starts_with("session=new; "), "{cookie}");
    let ended: LogoutRequest = services.seen("Logout").last().unwrap().decode();
    assert_eq!(ended.session_token, old);
    assert_eq!(points().send().await.unwrap().status(), 401);
}

#[tokio::test]
async fn one_address_may_try_only_so_often() {
    let services = Services::start().await;
    services.on("Login", |_: LoginRequest| Ok(LoginResponse::default()));
    let gateway = Gateway::start_with(&services, &[("SIGN_IN_LIMIT_PER_ADDRESS", "3")]).await;
    let mut statuses = Vec::new();
    for _ in 0..4 {
        let request = gateway.post(
            "/api/consumer/authentication/login",
            &json!({"phone": "+12135550100"}),
        );
        // What stands to the left of the proxy's own word is the client's claim, and changes nothing.
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
    assert_eq!(services.seen("Login").len(), 3);
}

#[tokio::test]
async fn a_session_in_use_keeps_its_cookie() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    services.on("GetPoints", |_: GetPointsRequest| Ok(Points::default()));
    let gateway = Gateway::start(&services).await;
    let token = token();
    let ask = || {
        gateway
            .get("/api/consumer/user/points")
            .by_consumer(&token)
            .send()
    };
    let first = ask().await.unwrap();
    assert!(
        first.headers()["set-cookie"]
            .to_str()
            .unwrap()
            .starts_with(&format!("session={token}; "))
    );
    assert!(!ask().await.unwrap().headers().contains_key("set-cookie"));
}
