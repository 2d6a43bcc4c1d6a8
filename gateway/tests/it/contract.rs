//! Envelope, invalid input, caching and correlation ids.

use proto::rewards::v1::{GetPointsRequest, Points};
use proto::stores::v1::{ListMenuRequest, ListMenuResponse, ListStoresRequest, ListStoresResponse};
use reqwest::Method;
use tonic::Status;

use crate::fake_services::FakeServices;
use crate::fixtures::store;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

#[tokio::test]
async fn invalid_bodies_are_rejected_with_a_reason() {
    let services = FakeServices::start().await;
    let gateway = Gateway::start(&services).await;
    let login = |content_type: &str, body: &'static str| {
        let request = gateway.request(Method::POST, "/api/consumer/authentication/login");
        request.header("content-type", content_type).body(body)
    };
    for (request, reason) in [
        (login("application/json", "{"), "MALFORMED_JSON"),
        (login("application/json", ""), "MALFORMED_JSON"),
        (login("application/json", "{}"), "MALFORMED_BODY"),
        (login("application/json", r#"{"phone": 5}"#), "MALFORMED_BODY"),
        (
            login("application/json", r#"{"phone": "\u0000"}"#),
            "MALFORMED_BODY",
        ),
        (
            login("text/plain", r#"{"phone": "+12135550100"}"#),
            "CONTENT_TYPE",
        ),
        (
            login("application/x-www-form-urlencoded", "phone=1"),
            "CONTENT_TYPE",
        ),
    ] {
        let (status, body) = status_and_body(request.send().await.unwrap()).await;
        assert_eq!(
            (status, body["reason"].as_str(), body["success"].as_bool()),
            (400, Some(reason), Some(false))
        );
        assert!(body["errors"][0].as_str().unwrap().ends_with('.'), "{body}");
    }
    let huge = gateway
        .request(Method::POST, "/api/consumer/authentication/login")
        .header("content-type", "application/json");
    let (status, body) = status_and_body(huge.body("x".repeat(200_000)).send().await.unwrap()).await;
    assert_eq!((status, body["reason"].as_str()), (400, Some("BODY_TOO_LARGE")));
    assert!(services.calls("Login").is_empty());
}

#[tokio::test]
async fn invalid_query_parameters_are_rejected() {
    let gateway = Gateway::start(&FakeServices::start().await).await;
    for path in [
        "stores/list?curb=maybe",
        "stores/list?lat=91&lon=0",
        "stores/list?lat=1",
        "stores/map?lat=1",
        "stores/map?lat=1&lon=1&span=-1",
        "store/info",
    ] {
        let (status, _) = status_and_body(
            gateway
                .get(&format!("/api/consumer/{path}"))
                .send()
                .await
                .unwrap(),
        )
        .await;
        assert_eq!(status, 400, "{path}");
    }
}

#[tokio::test]
async fn a_missing_or_invalid_correlation_id_is_replaced() {
    let services = FakeServices::start().await;
    let gateway = Gateway::start(&services).await;
    let menu = "/api/consumer/store/menu?storeId=str_1";
    let response = gateway.get(menu).send().await.unwrap();
    assert_eq!(response.headers()["x-correlation-id"], "test-1");
    assert_eq!(services.calls("ListMenu")[0].correlation_id, "test-1");
    let response = gateway
        .client
        .get(format!("{}{menu}", gateway.url))
        .header("x-correlation-id", "a b")
        .send()
        .await
        .unwrap();
    let created = response.headers()["x-correlation-id"]
        .to_str()
        .unwrap()
        .to_owned();
    assert_eq!(created.len(), 36);
    assert_eq!(services.calls("ListMenu")[1].correlation_id, created);
}

#[tokio::test]
async fn menus_are_cacheable_and_revalidated_by_etag() {
    let services = FakeServices::start().await;
    services.on("ListMenu", |_: ListMenuRequest| Ok(ListMenuResponse::default()));
    let gateway = Gateway::start(&services).await;
    let menu = "/api/consumer/store/menu?storeId=str_1";
    let first = gateway.get(menu).send().await.unwrap();
    assert_eq!(first.headers()["cache-control"], "public, no-cache");
    let tag = first.headers()["etag"].clone();
    let again = gateway
        .get(menu)
        .header("if-none-match", tag)
        .send()
        .await
        .unwrap();
    assert_eq!(again.status(), 304);
    assert!(again.bytes().await.unwrap().is_empty());
}

#[tokio::test]
async fn personal_data_is_not_cached() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetPoints", |_: GetPointsRequest| {
        Ok(Points {
            balance: 7,
            ..Default::default()
        })
    });
    services.on("ListStores", |_: ListStoresRequest| {
        Ok(ListStoresResponse {
            stores: vec![store()],
        })
    });
    let gateway = Gateway::start(&services).await;
    let token = new_token();
    let points = gateway
        .get("/api/consumer/user/points")
        .with_session(&token)
        .send()
        .await
        .unwrap();
    assert_eq!(points.headers()["cache-control"], "no-store");
    let stores = gateway
        .get("/api/consumer/stores/list")
        .with_session(&token)
        .send()
        .await
        .unwrap();
    assert_eq!(stores.headers()["cache-control"], "private, no-cache");
    let stores = gateway.get("/api/consumer/stores/list").send().await.unwrap();
    assert_eq!(stores.headers()["cache-control"], "public, no-cache");
}

#[tokio::test]
async fn internal_errors_hide_details_and_unavailable_services_have_retry_after() {
    let services = FakeServices::start().await;
    services.on("ListMenu", |_: ListMenuRequest| {
        Err::<ListMenuResponse, _>(Status::internal("relation \"menus\" is gone"))
    });
    let gateway = Gateway::start(&services).await;
    let (status, body) = status_and_body(
        gateway
            .get("/api/consumer/store/menu?storeId=str_1")
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!((status, body["reason"].as_str()), (500, Some("INTERNAL")));
    assert!(!body.to_string().contains("relation"));
    let response = gateway
        .get("/api/consumer/store/info?storeId=str_1")
        .send()
        .await
        .unwrap();
    assert_eq!(
        (response.status().as_u16(), &response.headers()["retry-after"]),
        (503, &"1".parse().unwrap())
    );
}

#[tokio::test]
async fn an_unknown_call_is_not_a_page() {
    let gateway = Gateway::start(&FakeServices::start().await).await;
    let (status, body) = status_and_body(gateway.get("/api/consumer/nothing").send().await.unwrap()).await;
    assert_eq!((status, body["reason"].as_str()), (404, Some("NOT_FOUND")));
    let response = gateway
        .request(Method::DELETE, "/api/build")
        .send()
        .await
        .unwrap();
    assert!(response.headers()["allow"].to_str().unwrap().contains("GET"));
    let (status, body) = status_and_body(response).await;
    assert_eq!(
        (status, body["reason"].as_str()),
        (405, Some("METHOD_NOT_ALLOWED"))
    );
}
