//! Caching of stores and menus, which are the same for all consumers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use callers::Caller;
use futures::future::join_all;
use proto::stores::v1::{
    CompanyEvent, GetItemRequest, GetStoreRequest, Item, ListMenuRequest, ListMenuResponse,
    ListStoresRequest, ListStoresResponse, MenuChanged, MenuItem, MenuSection, OpenState, Store, StoreEvent,
    StoreStatusChanged, company_event, store_event,
};
use reqwest::Response;
use serde_json::Value;
use tonic::Status;

use crate::broker::TestBroker;
use crate::fake_services::FakeServices;
use crate::fixtures::store;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token};

const INFO: &str = "/api/consumer/store/info?storeId=str_1";
const STATUS: &str = "/api/consumer/store/status?storeId=str_1";
const LIST: &str = "/api/consumer/stores/list";
const MENU: &str = "/api/consumer/store/menu?storeId=str_1";
/// Longer than any test, so that only events invalidate.
pub const NO_EXPIRY: (&str, &str) = ("PUBLIC_READ_MAX_AGE_MS", "600000");

/// Makes stores return a store, which is paused once the test sets the flag.
fn reply_with_store(services: &FakeServices) -> Arc<AtomicBool> {
    let paused = Arc::new(AtomicBool::new(false));
    let (got, listed) = (Arc::clone(&paused), Arc::clone(&paused));
    services.on("GetStore", move |_: GetStoreRequest| Ok(store_with_state(&got)));
    services.on("ListStores", move |_: ListStoresRequest| {
        Ok(ListStoresResponse {
            stores: vec![store_with_state(&listed)],
        })
    });
    paused
}

fn store_with_state(paused: &AtomicBool) -> Store {
    let mut store = store();
    if paused.load(Ordering::SeqCst) {
        store.set_open_state(OpenState::Paused);
    }
    store
}

async fn get(gateway: &Gateway, path: &str) -> Response {
    let response = gateway.get(path).send().await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    response
}

async fn get_data(gateway: &Gateway, path: &str) -> Value {
    let mut body: Value = get(gateway, path).await.json().await.unwrap();
    body["data"].take()
}

/// Requests until the response meets the condition.
async fn wait_for(gateway: &Gateway, path: &str, condition: impl Fn(&Value) -> bool) {
    for _ in 0..200 {
        if condition(&get_data(gateway, path).await) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{path} is unchanged after ten seconds");
}

/// Waits until the gateway receives events: from then on it caches for ten minutes, and not for a quarter of that. Before,
/// each test would race with the entry that the connection invalidates.
pub async fn wait_for_events(gateway: &Gateway, broker: &TestBroker, services: &FakeServices) {
    for _ in 0..200 {
        get(gateway, INFO).await;
        let calls = services.calls("GetStore").len();
        broker.publish(&status_changed()).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        get(gateway, INFO).await;
        if services.calls("GetStore").len() > calls {
            return;
        }
    }
    panic!("the gateway receives no events");
}

fn status_changed() -> StoreEvent {
    StoreEvent {
        store_id: "str_1".into(),
        change: Some(store_event::Change::StatusChanged(StoreStatusChanged::default())),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_and_later_ones_share_one_call_and_one_body() {
    let services = FakeServices::start().await;
    reply_with_store(&services);
    let gateway = Gateway::start_with(&services, &[NO_EXPIRY]).await;
    let bodies = join_all((0..40).map(|_| async { get(&gateway, INFO).await.bytes().await.unwrap() })).await;
    let later = get(&gateway, INFO).await;
    let tag = later.headers()["etag"].clone();
    let body = later.bytes().await.unwrap();
    assert!(bodies.iter().all(|other| *other == body));
    let calls = services.calls("GetStore");
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].caller, Caller::from_service("gateway"));
    let revalidated = gateway
        .get(INFO)
        .header("if-none-match", tag)
        .send()
        .await
        .unwrap();
    assert_eq!(revalidated.status(), 304);
    assert_eq!(services.calls("GetStore").len(), 1);
}

#[tokio::test]
async fn each_view_and_each_store_has_its_own_response() {
    let services = FakeServices::start().await;
    services.on("GetStore", |request: GetStoreRequest| {
        Ok(Store {
            store_id: request.store_id,
            distance_meters: request.position.map(|position| position.latitude),
            ..store()
        })
    });
    services.on("GetItem", |_: GetItemRequest| {
        Ok(Item {
            kind: "drink".into(),
            ..Default::default()
        })
    });
    let gateway = Gateway::start_with(&services, &[NO_EXPIRY]).await;
    for _ in 0..2 {
        assert_eq!(get_data(&gateway, INFO).await["storeId"], "str_1");
        assert_eq!(
            get_data(&gateway, "/api/consumer/store/info?storeId=str_2").await["storeId"],
            "str_2"
        );
        let card = "/api/consumer/store/card?storeId=str_1&lat=5&lon=5";
        assert_eq!(get_data(&gateway, card).await["distanceMeters"], 5.0);
        assert_eq!(get_data(&gateway, STATUS).await.get("name"), None);
        let item = |view| format!("/api/consumer/item/{view}?storeId=str_1&itemId=itm_1");
        assert!(get_data(&gateway, &item("details")).await["kind"].is_string());
        assert!(get_data(&gateway, &item("sizes")).await["sizes"].is_array());
        assert!(get_data(&gateway, &item("modifications")).await["modifications"].is_array());
    }
    assert_eq!(services.calls("GetStore").len(), 4);
    assert_eq!(services.calls("GetItem").len(), 3);
}

#[tokio::test]
async fn without_events_no_response_is_older_than_the_maximum_age() {
    let services = FakeServices::start().await;
    let paused = reply_with_store(&services);
    let gateway = Gateway::start(&services).await;
    assert_eq!(get_data(&gateway, STATUS).await["openState"], "open");
    paused.store(true, Ordering::SeqCst);
    let changed_at = Instant::now();
    loop {
        // A quarter of two seconds, because the broker is unavailable.
        let must_be_new = changed_at.elapsed() >= Duration::from_millis(500);
        let state = get_data(&gateway, STATUS).await["openState"].take();
        if must_be_new {
            assert_eq!(state, "paused");
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_store_event_invalidates_the_store_its_menu_and_lists() {
    let (services, broker) = (FakeServices::start().await, TestBroker::connect().await);
    let paused = reply_with_store(&services);
    let sold_out = Arc::clone(&paused);
    services.on("ListMenu", move |_: ListMenuRequest| {
        let item = MenuItem {
            kind: "drink".into(),
            sold_out: sold_out.load(Ordering::SeqCst),
            ..Default::default()
        };
        let section = MenuSection {
            items: vec![item],
            ..Default::default()
        };
        Ok(ListMenuResponse {
            sections: vec![section],
        })
    });
    let gateway = Gateway::start_with(&services, &[&[NO_EXPIRY][..], &broker.settings()].concat()).await;
    wait_for_events(&gateway, &broker, &services).await;
    for path in [INFO, STATUS, LIST, MENU] {
        get(&gateway, path).await;
    }
    paused.store(true, Ordering::SeqCst);
    assert_eq!(get_data(&gateway, STATUS).await["openState"], "open");
    broker.publish(&status_changed()).await;
    wait_for(&gateway, STATUS, |data| data["openState"] == "paused").await;
    assert_eq!(get_data(&gateway, INFO).await["openState"], "paused");
    assert_eq!(get_data(&gateway, LIST).await["stores"][0]["openState"], "paused");
    assert_eq!(
        get_data(&gateway, MENU).await["sections"][0]["items"][0]["soldOut"],
        true
    );
    drop(gateway);
    broker.delete_topology().await;
}

#[tokio::test]
async fn a_changed_menu_invalidates_menus_only() {
    let (services, broker) = (FakeServices::start().await, TestBroker::connect().await);
    let has_changed = reply_with_store(&services);
    let changed = Arc::clone(&has_changed);
    services.on("ListMenu", move |_: ListMenuRequest| {
        let sections = vec![MenuSection::default(); usize::from(changed.load(Ordering::SeqCst))];
        Ok(ListMenuResponse { sections })
    });
    let gateway = Gateway::start_with(&services, &[&[NO_EXPIRY][..], &broker.settings()].concat()).await;
    wait_for_events(&gateway, &broker, &services).await;
    get(&gateway, MENU).await;
    has_changed.store(true, Ordering::SeqCst);
    broker
        .publish(&CompanyEvent {
            company_id: "cmp_1".into(),
            change: Some(company_event::Change::MenuChanged(MenuChanged {})),
        })
        .await;
    wait_for(&gateway, MENU, |data| data["sections"][0].is_object()).await;
    assert_eq!(get_data(&gateway, INFO).await["openState"], "open");
    drop(gateway);
    broker.delete_topology().await;
}

#[tokio::test]
async fn favorites_of_a_consumer_are_never_cached_for_others() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("GetStore", |_: GetStoreRequest| {
        Ok(Store {
            favorite: true,
            ..store()
        })
    });
    let gateway = Gateway::start_with(&services, &[NO_EXPIRY]).await;
    let token = new_token();
    for _ in 0..2 {
        let personal = gateway.get(INFO).with_session(&token).send().await.unwrap();
        assert_eq!(personal.headers()["cache-control"], "private, no-cache");
        get(&gateway, INFO).await;
    }
    // The state of a store has no favorites, so the session is not even looked up.
    let status = gateway.get(STATUS).with_session(&token).send().await.unwrap();
    assert_eq!(status.headers()["cache-control"], "public, no-cache");
    let callers: Vec<bool> = services
        .calls("GetStore")
        .iter()
        .map(|call| matches!(call.caller, Caller::Consumer { .. }))
        .collect();
    assert_eq!(callers, [true, false, true, false]);
}

#[tokio::test]
async fn errors_are_not_cached() {
    let services = FakeServices::start().await;
    let gateway = Gateway::start_with(&services, &[NO_EXPIRY]).await;
    services.on("GetStore", |_: GetStoreRequest| {
        Err::<Store, _>(Status::unavailable("restarting"))
    });
    let response = gateway.get(INFO).send().await.unwrap();
    assert_eq!(response.status(), 503);
    reply_with_store(&services);
    get(&gateway, INFO).await;
}

#[tokio::test]
async fn a_body_is_compressed_for_clients_that_accept_it() {
    let services = FakeServices::start().await;
    reply_with_store(&services);
    let gateway = Gateway::start_with(&services, &[NO_EXPIRY]).await;
    let plain = get(&gateway, INFO).await;
    assert!(!plain.headers().contains_key("content-encoding"));
    let tag = plain.headers()["etag"].clone();
    let plain = plain.bytes().await.unwrap();
    for (accepted, encoding) in [("gzip, br", "br"), ("gzip;q=0.8, br;q=0", "gzip")] {
        for _ in 0..2 {
            let request = gateway.get(INFO).header("accept-encoding", accepted);
            let response = request.send().await.unwrap();
            assert_eq!(response.headers()["content-encoding"], encoding);
            assert_eq!(response.headers()["etag"], tag);
            let body = response.bytes().await.unwrap();
            assert!(body.len() < plain.len(), "{encoding}");
            if encoding == "gzip" {
                let mut text = Vec::new();
                std::io::copy(&mut flate2::read::GzDecoder::new(&body[..]), &mut text).unwrap();
                assert_eq!(text, plain);
            }
        }
    }
}
