//! Calls for operators.

use callers::Caller;
use kit::{ErrorCode, ServiceError};
use proto::operations::v1::OrderRecord;
use proto::ordering::v1::{GetOrderTimelineRequest, OrderTimeline};
use proto::stores::v1::{AuthenticateStoreRequest, AuthenticateStoreResponse};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

const KEY: &str = "operator-key-of-ada-for-these-tests";
const PATH: &str = "/store-api/operator/orders/ord_01h455vb4pex5vsknk084sn02q/timeline";

async fn start(services: &FakeServices) -> Gateway {
    let keys = format!("ada:{}", hex::encode(Sha256::digest(KEY)));
    Gateway::start_with(services, &[("OPERATOR_KEYS", &keys)]).await
}

/// Makes ordering return a timeline with one record.
fn reply_with_timeline(services: &FakeServices) {
    services.on("GetOrderTimeline", |request: GetOrderTimelineRequest| {
        Ok(OrderTimeline {
            order_id: request.order_id,
            state: "placed at Sunset & Maltman, 1240 usd cents by card".to_owned(),
            records: vec![OrderRecord {
                at: "2026-11-20T16:00:00.123456Z".to_owned(),
                service: "payments".to_owned(),
                text: "charge created: 1240 cents by card".to_owned(),
                trace_id: String::new(),
            }],
            not_read: vec!["rewards did not respond".to_owned()],
            ..OrderTimeline::default()
        })
    });
}

#[tokio::test]
async fn an_operator_reads_the_records_of_an_order() {
    let services = FakeServices::start().await;
    reply_with_timeline(&services);
    let gateway = start(&services).await;
    let response = gateway.get(PATH).bearer_auth(KEY).send().await.unwrap();
    assert_eq!(response.headers()["cache-control"], "no-store");
    let (status, body) = status_and_body(response).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(
        body["data"],
        json!({
            "orderId": "ord_01h455vb4pex5vsknk084sn02q",
            "state": "placed at Sunset & Maltman, 1240 usd cents by card",
            "reason": null,
            "records": [{
                "at": "2026-11-20T16:00:00.123456Z", "service": "payments",
                "text": "charge created: 1240 cents by card", "traceId": null,
            }],
            "notConsumed": [],
            "notRead": ["rewards did not respond"],
        })
    );
    let caller = services.calls("GetOrderTimeline")[0].caller.clone();
    assert_eq!(
        caller,
        Caller::Operator {
            name: "ada".to_owned()
        }
    );
}

#[tokio::test]
async fn consumers_staff_and_store_systems_are_no_operators() {
    let services = FakeServices::start().await;
    reply_with_timeline(&services);
    accept_all_sessions(&services);
    services.on("AuthenticateStore", |_: AuthenticateStoreRequest| {
        Ok(AuthenticateStoreResponse {
            credential_id: "crd_01h455vb4pex5vsknk084sn02q".to_owned(),
            store_ids: Vec::new(),
            all_stores: true,
        })
    });
    let gateway = start(&services).await;
    let credential = new_token();
    let requests = [
        gateway.get(PATH),
        gateway.get(PATH).with_session(&new_token()),
        gateway.get(PATH).header("cookie", format!("staff={credential}")),
        gateway.get(PATH).header("cookie", format!("operator={KEY}")),
        gateway.get(PATH).bearer_auth(&credential),
        gateway.get(PATH).bearer_auth(KEY.to_uppercase()),
        gateway.get(PATH).header("authorization", format!("Basic {KEY}")),
        gateway.get(&format!("{PATH}?authorization={KEY}")),
    ];
    for request in requests {
        let response = request.send().await.unwrap();
        assert_eq!(response.headers()["www-authenticate"], "Bearer");
        let (status, body) = status_and_body(response).await;
        assert_eq!(
            (status, body["reason"].as_str()),
            (401, Some("UNAUTHENTICATED")),
            "{body}"
        );
    }
    assert!(services.calls("GetOrderTimeline").is_empty());
    // The key gives access to nothing else.
    services.on("AuthenticateStore", |_: AuthenticateStoreRequest| {
        let message = "That store credential isn't valid.";
        Err::<AuthenticateStoreResponse, _>(
            ServiceError::new(ErrorCode::Unauthenticated, "CREDENTIAL_UNKNOWN", message).into(),
        )
    });
    let queue = gateway
        .get("/store-api/queue")
        .bearer_auth(KEY)
        .send()
        .await
        .unwrap();
    assert_eq!(queue.status(), 401);
}

#[tokio::test]
async fn without_the_setting_there_are_no_operators() {
    let services = FakeServices::start().await;
    reply_with_timeline(&services);
    let gateway = Gateway::start(&services).await;
    let response = gateway.get(PATH).bearer_auth(KEY).send().await.unwrap();
    assert_eq!(response.status(), 401);
    assert!(services.calls("GetOrderTimeline").is_empty());
}
