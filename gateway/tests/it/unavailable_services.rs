//! What works while a service or Redis is unavailable.

use proto::accounts::v1::{GetProfileRequest, LoginRequest, LoginResponse, Profile};
use proto::giftcards::v1::{GetWalletRequest, Wallet};
use proto::payments::v1::{ListPaymentMethodsRequest, ListPaymentMethodsResponse, PaymentMethod};
use proto::rewards::v1::{GetPointsRequest, Points};
use proto::stores::v1::{ListStoresRequest, ListStoresResponse};
use serde_json::json;

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

const NO_REDIS: (&str, &str) = ("REDIS_URL", "redis://127.0.0.1:1");

#[tokio::test]
async fn without_redis_sessions_work_and_sign_in_is_unavailable() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetPoints", |_: GetPointsRequest| Ok(Points::default()));
    services.on("Login", |_: LoginRequest| Ok(LoginResponse::default()));
    let gateway = Gateway::start_with(&services, &[NO_REDIS]).await;
    let started = std::time::Instant::now();
    let response = gateway
        .get("/api/consumer/user/points")
        .with_session(&new_token())
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    assert!(started.elapsed().as_secs() < 3, "{:?}", started.elapsed());
    let login = gateway
        .post(
            "/api/consumer/authentication/login",
            &json!({"phone": "+12135550100"}),
        )
        .send()
        .await
        .unwrap();
    assert_eq!(login.status(), 503);
    assert!(login.headers().contains_key("retry-after"));
    assert!(services.calls("Login").is_empty());
}

#[tokio::test]
async fn my_joe_names_its_unavailable_parts() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetProfile", |_: GetProfileRequest| {
        Ok(Profile {
            first_name: "Ada".into(),
            ..Default::default()
        })
    });
    services.on("GetWallet", |_: GetWalletRequest| Ok(Wallet::default()));
    let gateway = Gateway::start(&services).await;
    let (status, body) = status_and_body(
        gateway
            .get("/api/consumer/user/my-joe")
            .with_session(&new_token())
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!(status, 200);
    assert_eq!(body["data"]["profile"]["firstName"], "Ada");
    assert_eq!(
        (&body["data"]["points"], &body["data"]["unavailable"]),
        (&json!(null), &json!(["points"]))
    );
}

#[tokio::test]
async fn without_gift_cards_saved_payment_methods_are_listed() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("ListPaymentMethods", |_: ListPaymentMethodsRequest| {
        let card = PaymentMethod {
            payment_method_id: "pay_a".into(),
            r#type: "card".into(),
            ..Default::default()
        };
        Ok(ListPaymentMethodsResponse { methods: vec![card] })
    });
    let gateway = Gateway::start(&services).await;
    let (status, body) = status_and_body(
        gateway
            .get("/api/consumer/payments/list")
            .with_session(&new_token())
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!(
        (status, &body["data"]["paymentMethods"][0]["id"]),
        (200, &json!("pay_a"))
    );
}

#[tokio::test]
async fn without_accounts_stores_are_listed() {
    let services = FakeServices::start().await;
    services.on("ListStores", |_: ListStoresRequest| {
        Ok(ListStoresResponse::default())
    });
    let gateway = Gateway::start(&services).await;
    let response = gateway
        .get("/api/consumer/stores/list")
        .with_session(&new_token())
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    // The consumer may be signed in, so these are not 401, after which the app would clear the cart and the keys of purchases.
    for path in [
        "/api/consumer/user/points",
        "/api/consumer/stores/list?favorites=true",
    ] {
        let request = gateway.get(path).with_session(&new_token());
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 503, "{path}");
    }
    let signed_out = gateway.get("/api/consumer/stores/list?favorites=true");
    assert_eq!(signed_out.send().await.unwrap().status(), 401);
}
