//! How often a consumer may do what costs others.

use proto::payments::v1::{CardSecret, CreateCardSecretRequest};
use reqwest::Method;

use crate::gateway::{Act, Gateway, everybody_is_signed_in_as, token, told};
use crate::services::Services;

const SECRET: &str = "/api/stripe/card/secret";

fn gives_secrets(services: &Services) {
    services.on("CreateCardSecret", |_: CreateCardSecretRequest| {
        Ok(CardSecret {
            client_secret: "seti_secret".into(),
            ..Default::default()
        })
    });
}

#[tokio::test]
async fn nobody_tries_cards_by_the_hundred() {
    let services = Services::start().await;
    everybody_is_signed_in_as(&services, &new_consumer());
    gives_secrets(&services);
    let most = [("CARD_SECRETS_PER_CONSUMER", "3")];
    let (gateway, other) = (
        Gateway::start_with(&services, &most).await,
        Gateway::start_with(&services, &most).await,
    );
    let token = token();
    let ask = async |gateway: &Gateway| {
        let request = gateway.request(Method::POST, SECRET).by_consumer(&token);
        request.send().await.unwrap()
    };
    for gateway in [&gateway, &other, &gateway] {
        assert_eq!(ask(gateway).await.status(), 200);
    }
    // Counted for all gateways together.
    for gateway in [&gateway, &other] {
        let refused = ask(gateway).await;
        let wait = refused.headers()["retry-after"].to_str().unwrap().parse::<u64>();
        assert!((1..=3600).contains(&wait.unwrap()));
        let (status, body) = told(refused).await;
        assert_eq!((status, body["reason"].as_str()), (429, Some("TOO_MANY_CARDS")));
    }
    assert_eq!(services.seen("CreateCardSecret").len(), 3);
}

#[tokio::test]
async fn cards_are_taken_while_nobody_counts() {
    let services = Services::start().await;
    everybody_is_signed_in_as(&services, &new_consumer());
    gives_secrets(&services);
    let away = [
        ("CARD_SECRETS_PER_CONSUMER", "1"),
        ("REDIS_URL", "redis://127.0.0.1:1"),
    ];
    let gateway = Gateway::start_with(&services, &away).await;
    for _ in 0..2 {
        let request = gateway.request(Method::POST, SECRET).by_consumer(&token());
        assert_eq!(request.send().await.unwrap().status(), 200);
    }
}

/// Whose count no other test or run has begun.
fn new_consumer() -> String {
    types::ConsumerId::from_uuid(uuid::Uuid::new_v4()).to_string()
}
