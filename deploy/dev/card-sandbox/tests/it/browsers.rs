//! What browsers can do and load.

use serde_json::json;

use crate::harness::{PUBLISHABLE_KEY, Sandbox, id};

#[tokio::test]
async fn a_browser_needs_the_client_secret_and_cannot_manage_customers() {
    let sandbox = Sandbox::start().await;
    assert_eq!(sandbox.as_browser("/v1/customers", &[]).await.0, 403);
    let (_, setup) = sandbox.post("/v1/setup_intents", &[]).await;
    let card = sandbox.card("4242424242424242").await;
    let confirm = format!("/v1/setup_intents/{}/confirm", id(&setup));
    assert_eq!(
        sandbox.as_browser(&confirm, &[("payment_method", &card)]).await.0,
        400
    );
    let wrong = [
        ("payment_method", card.as_str()),
        ("client_secret", "seti_1_secret_2"),
    ];
    assert_eq!(sandbox.as_browser(&confirm, &wrong).await.0, 400);
    let secret = setup["client_secret"].as_str().unwrap();
    let right = [("payment_method", card.as_str()), ("client_secret", secret)];
    assert_eq!(
        sandbox.as_browser(&confirm, &right).await.1["status"],
        json!("succeeded")
    );
}

#[tokio::test]
async fn an_unknown_key_is_unauthorized() {
    let sandbox = Sandbox::start().await;
    let request = sandbox.request_as("sk_test_other", reqwest::Method::GET, "/v1/customers");
    assert_eq!(request.send().await.unwrap().status(), 401);
}

#[tokio::test]
async fn pages_of_all_origins_can_call_without_credentials() {
    let sandbox = Sandbox::start().await;
    let preflight = sandbox
        .request(reqwest::Method::OPTIONS, "/v1/payment_methods")
        .header("origin", "https://app.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type")
        .send()
        .await
        .unwrap();
    assert_eq!(preflight.headers()["access-control-allow-origin"], "*");
    assert!(
        !preflight
            .headers()
            .contains_key("access-control-allow-credentials")
    );
}

#[tokio::test]
async fn the_script_and_its_frames_are_served_and_faults_apply_to_them() {
    let sandbox = Sandbox::start().await;
    for path in [
        "/v1/js",
        "/frames/card",
        "/frames/authenticate",
        "/frames/sheet",
        "/frames/bank",
    ] {
        let response = sandbox.request(reqwest::Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let policy = response.headers()["content-security-policy"]
            .to_str()
            .unwrap()
            .to_owned();
        assert!(policy.contains("connect-src 'self'"));
        assert!(!response.text().await.unwrap().contains(PUBLISHABLE_KEY));
    }
    sandbox
        .fault(json!({ "path": "/v1/js", "kind": "error", "times": 1 }))
        .await;
    assert_eq!(sandbox.get("/v1/js").await.0, 500);
    assert_eq!(sandbox.get("/v1/js").await.0, 200);
}
