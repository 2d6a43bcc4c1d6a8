//! The envelope, bad input, what is kept and what is not.

use proto::rewards::v1::{GetPointsRequest, Points};
use proto::stores::v1::{ListMenuRequest, ListMenuResponse, ListStoresRequest, ListStoresResponse, Store};
use reqwest::Method;
use tonic::Status;

use crate::gateway::{Act, Gateway, everybody_is_signed_in, token, told};
use crate::services::Services;

#[tokio::test]
async fn bad_bodies_are_named_and_reach_nobody() {
    let services = Services::start().await;
    let gateway = Gateway::start(&services).await;
    let login = |kind: &str, body: &'static str| {
        let request = gateway.request(Method::POST, "/api/consumer/authentication/login");
        request.header("content-type", kind).body(body)
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
        let (status, body) = told(request.send().await.unwrap()).await;
        assert_eq!(
            (status, body["reason"].as_str(), body["success"].as_bool()),
            (400, Some(reason), Some(false))
        );
        assert!(body["errors"][0].as_str().unwrap().ends_with('.'), "{body}");
    }
    let huge = gateway
        .request(Method::POST, "/api/consumer/authentication/login")
        .header("content-type", "application/json");
    let (status, body) = told(huge.body("x".repeat(200_000)).send().await.unwrap()).await;
    assert_eq!((status, body["reason"].as_str()), (400, Some("BODY_TOO_LARGE")));
    assert!(services.seen("Login").is_empty());
}

#[tokio::test]
async fn query_values_that_are_none_are_refused() {
    let gateway = Gateway::start(&Services::start().await).await;
    for path in [
        "stores/list?curb=maybe",
        "stores/list?lat=91&lon=0",
        "stores/list?lat=1",
        "stores/map?lat=1",
        "stores/map?lat=1&lon=1&span=-1",
        "store/info",
    ] {
        let (status, _) = told(
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
async fn a_request_keeps_its_correlation_id_and_one_is_made_where_it_has_none() {
    let services = Services::start().await;
    let gateway = Gateway::start(&services).await;
    let menu = "/api/consumer/store/menu?storeId=str_1";
    let response = gateway.get(menu).send().await.unwrap();
    assert_eq!(response.headers()["x-correlation-id"], "test-1");
    assert_eq!(services.seen("ListMenu")[0].correlation_id, "test-1");
    let response = gateway
        .client
        .get(format!("{}{menu}", gateway.url))
        .header("x-correlation-id", "a b")
        .send()
        .await
        .unwrap();
    let made = response.headers()["x-correlation-id"]
        .to_str()
        .unwrap()
        .to_owned();
    assert_eq!(made.len(), 36);
    assert_eq!(services.seen("ListMenu")[1].correlation_id, made);
}

#[tokio::test]
async fn menus_may_be_kept_and_are_asked_for_by_their_tag() {
    let services = Services::start().await;
    services.on("ListMenu", |_: ListMenuRequest| Ok(ListMenuResponse::default()));
    let gateway = Gateway::start(&services).await;
    let menu = "/api/consumer/store/menu?storeId=str_1";
    let first = gateway.get(menu).send().await.unwrap();
    assert_eq!(first.headers()["cache-control"], "public, max-age=30");
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
async fn what_is_personal_is_not_kept() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    services.on("GetPoints", |_: GetPointsRequest| {
        Ok(Points {
            balance: 7,
            ..Default::default()
        })
    });
    services.on("ListStores", |_: ListStoresRequest| {
        Ok(ListStoresResponse {
            stores: vec![Store::default()],
        })
    });
    let gateway = Gateway::start(&services).await;
    let token = token();
    let points = gateway
        .get("/api/consumer/user/points")
        .by_consumer(&token)
        .send()
        .await
        .unwrap();
    assert_eq!(points.headers()["cache-control"], "no-store");
    let stores = gateway
        .get("/api/consumer/stores/list")
        .by_consumer(&token)
        .send()
        .await
        .unwrap();
    assert_eq!(stores.headers()["cache-control"], "private, no-cache");
    let stores = gateway.get("/api/consumer/stores/list").send().await.unwrap();
    assert_eq!(stores.headers()["cache-control"], "public, max-age=15");
}

#[tokio::test]
async fn a_service_that_breaks_tells_nothing_and_one_that_is_away_says_when_to_try_again() {
    let services = Services::start().await;
    services.on("ListMenu", |_: ListMenuRequest| {
        Err::<ListMenuResponse, _>(Status::internal("relation \"menus\" is gone"))
    });
    let gateway = Gateway::start(&services).await;
    let (status, body) = told(
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
async fn an_unknown_call_is_no_page() {
    let gateway = Gateway::start(&Services::start().await).await;
    let (status, body) = told(gateway.get("/api/consumer/nothing").send().await.unwrap()).await;
    assert_eq!((status, body["reason"].as_str()), (404, Some("NOT_FOUND")));
    let response = gateway
        .request(Method::DELETE, "/api/build")
        .send()
        .await
        .unwrap();
    assert!(response.headers()["allow"].to_str().unwrap().contains("GET"));
    let (status, body) = told(response).await;
    assert_eq!(
        (status, body["reason"].as_str()),
        (405, Some("METHOD_NOT_ALLOWED"))
    );
}
