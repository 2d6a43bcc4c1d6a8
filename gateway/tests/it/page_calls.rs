//! The calls that the gateway makes for a page are shared and limited; the page itself is always served.

use std::time::Duration;

use futures::future::join_all;
use proto::stores::v1::{GetStoreRequest, ListStoresRequest, ListStoresResponse, Store};

use crate::fake_services::FakeServices;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token};
use crate::public_reads::NO_EXPIRY;
use crate::web::write_build;

const PAGE: &str = "/store/str_1/menu";

async fn start(services: &FakeServices, settings: &[(&str, &str)]) -> Gateway {
    services.on("GetStore", |_: GetStoreRequest| {
        Ok(Store {
            name: "Sunset".into(),
            company_name: "Joe".into(),
            ..Default::default()
        })
    });
    let folder = write_build();
    let build = ("WEB_DIST", folder.to_str().unwrap());
    Gateway::start_with(services, &[&[build, NO_EXPIRY], settings].concat()).await
}

/// Returns the page as a browser gets it.
async fn open(gateway: &Gateway, path: &str, token: &str) -> String {
    let request = gateway.get(path).header("accept", "text/html");
    let response = request.with_session(token).send().await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    response.text().await.unwrap()
}

async fn wait_for_call(services: &FakeServices, method: &str) {
    for _ in 0..200 {
        if !services.calls(method).is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{method} was not called in ten seconds");
}

#[tokio::test]
async fn concurrent_pages_of_a_store_share_one_call() {
    let services = FakeServices::start().await;
    let gateway = start(&services, &[]).await;
    let pages = join_all((0..50).map(|_| open(&gateway, PAGE, "none"))).await;
    assert!(
        pages
            .iter()
            .all(|page| page.contains("<title>Sunset · Joe</title>"))
    );
    assert_eq!(services.calls("GetStore").len(), 1);
}

#[tokio::test]
async fn at_the_limit_of_requests_pages_are_served_without_calls() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("ListStores", |_: ListStoresRequest| {
        Ok(ListStoresResponse::default())
    });
    let held = services.hold("ListStores");
    let gateway = start(&services, &[("MAX_REQUESTS", "1")]).await;
    let list = gateway.get("/api/consumer/stores/list").send();
    let list = tokio::spawn(list);
    wait_for_call(&services, "ListStores").await;
    let token = new_token();
    for (path, title) in [
        (PAGE, "Menu"),
        ("/company/7", "Order Ahead"),
        ("/lp/summer", "Order Ahead"),
        ("/?session=code", "Order Ahead"),
    ] {
        let page = open(&gateway, path, &token).await;
        assert!(page.contains(&format!("<title>{title}</title>")), "{page}");
    }
    for method in [
        "GetStore",
        "GetCompany",
        "GetLandingPage",
        "GetSession",
        "ExchangeHandOverCode",
    ] {
        assert!(services.calls(method).is_empty(), "{method}");
    }
    held.close();
    assert_eq!(list.await.unwrap().unwrap().status(), 200);
    assert!(
        open(&gateway, PAGE, &token)
            .await
            .contains("<title>Sunset · Joe</title>")
    );
}
