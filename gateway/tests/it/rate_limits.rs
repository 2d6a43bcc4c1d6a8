//! Limits counted in Redis.

use proto::payments::v1::{CreateSetupIntentRequest, SetupIntent};
use reqwest::Method;

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, WithSession, accept_all_sessions_as, new_token, status_and_body};

const SECRET: &str = "/api/stripe/card/secret";

fn reply_with_setup_intents(services: &FakeServices) {
    services.on("CreateSetupIntent", |_: CreateSetupIntentRequest| {
        Ok(SetupIntent {
            client_secret: "seti_secret".into(),
            ..Default::default()
        })
    });
}

#[tokio::test]
async fn new_cards_are_limited_per_consumer_on_all_gateways_together() {
    let services = FakeServices::start().await;
    accept_all_sessions_as(&services, &new_consumer());
    reply_with_setup_intents(&services);
    let settings = [("SETUP_INTENTS_PER_CONSUMER", "3")];
    let (gateway, other) = (
        Gateway::start_with(&services, &settings).await,
        Gateway::start_with(&services, &settings).await,
    );
    let token = new_token();
    let create_secret = async |gateway: &Gateway| {
        let request = gateway.request(Method::POST, SECRET).with_session(&token);
        request.send().await.unwrap()
    };
    for gateway in [&gateway, &other, &gateway] {
        assert_eq!(create_secret(gateway).await.status(), 200);
    }
    for gateway in [&gateway, &other] {
        let rejected = create_secret(gateway).await;
        let wait = rejected.headers()["retry-after"].to_str().unwrap().parse::<u64>();
        assert!((1..=3600).contains(&wait.unwrap()));
        let (status, body) = status_and_body(rejected).await;
        assert_eq!((status, body["reason"].as_str()), (429, Some("TOO_MANY_CARDS")));
    }
    assert_eq!(services.calls("CreateSetupIntent").len(), 3);
}

#[tokio::test]
async fn without_redis_new_cards_are_allowed() {
    let services = FakeServices::start().await;
    accept_all_sessions_as(&services, &new_consumer());
    reply_with_setup_intents(&services);
    let settings = [
        ("SETUP_INTENTS_PER_CONSUMER", "1"),
        ("REDIS_URL", "redis://127.0.0.1:1"),
    ];
    let gateway = Gateway::start_with(&services, &settings).await;
    for _ in 0..2 {
        let request = gateway.request(Method::POST, SECRET).with_session(&new_token());
        assert_eq!(request.send().await.unwrap().status(), 200);
    }
}

/// Returns a consumer whom no other test or run has used.
fn new_consumer() -> String {
    types::ConsumerId::from_uuid(uuid::Uuid::new_v4()).to_string()
}
