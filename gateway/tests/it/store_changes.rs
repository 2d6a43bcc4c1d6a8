//! The live stream of the changes of a store.

use kit::{ErrorCode, ServiceError};
use proto::stores::v1::{
    AvailabilityChanged, CompanyEvent, GetStoreRequest, MenuChanged, StoreEvent, StoreStatusChanged,
    company_event, store_event::Change,
};
use reqwest::Response;
use serde_json::json;
use tonic::Status;

use crate::broker::TestBroker;
use crate::fake_services::FakeServices;
use crate::fixtures::store;
use crate::harness::{Gateway, status_and_body};
use crate::live::Events;
use crate::public_reads::{NO_EXPIRY, wait_for_events};

async fn request(gateway: &Gateway, store_id: &str) -> Response {
    let path = format!("/api/consumer/store/events?storeId={store_id}");
    gateway.get(&path).send().await.unwrap()
}

async fn open(gateway: &Gateway) -> Events {
    let response = request(gateway, "str_1").await;
    assert_eq!(
        (response.status().as_u16(), &response.headers()["content-type"]),
        (200, &"text/event-stream".parse().unwrap())
    );
    Events(response, String::new())
}

fn event(store_id: &str, change: Change) -> StoreEvent {
    StoreEvent {
        store_id: store_id.into(),
        change: Some(change),
    }
}

#[tokio::test]
async fn clients_receive_what_changed_at_their_store_without_a_session() {
    let (services, broker) = (FakeServices::start().await, TestBroker::connect().await);
    services.on("GetStore", |_: GetStoreRequest| Ok(store()));
    let gateway = Gateway::start_with(&services, &[&[NO_EXPIRY][..], &broker.settings()].concat()).await;
    wait_for_events(&gateway, &broker, &services).await;
    let mut events = open(&gateway).await;
    let sold_out = Change::AvailabilityChanged(AvailabilityChanged {});
    let paused = Change::StatusChanged(StoreStatusChanged::default());
    let data = json!({"storeId": "str_1"});
    broker.publish(&event("str_2", paused.clone())).await;
    broker.publish(&event("str_1", sold_out)).await;
    assert_eq!(events.next().await, Some(("menu".to_owned(), data.clone())));
    broker.publish(&event("str_1", paused)).await;
    assert_eq!(events.next().await, Some(("status".to_owned(), data.clone())));
    broker
        .publish(&CompanyEvent {
            company_id: "cmp_1".into(),
            change: Some(company_event::Change::MenuChanged(MenuChanged {})),
        })
        .await;
    assert_eq!(events.next().await, Some(("menu".to_owned(), data)));
    drop((events, gateway));
    broker.delete_topology().await;
}

#[tokio::test]
async fn without_the_broker_clients_are_asked_to_read_again() {
    let services = FakeServices::start().await;
    services.on("GetStore", |_: GetStoreRequest| Ok(store()));
    let gateway = Gateway::start(&services).await;
    let mut events = open(&gateway).await;
    let names = [events.next().await.unwrap().0, events.next().await.unwrap().0];
    assert_eq!(names, ["menu", "status"]);
}

#[tokio::test]
async fn streams_of_unknown_stores_and_above_the_limits_are_rejected() {
    let services = FakeServices::start().await;
    services.on("GetStore", |request: GetStoreRequest| {
        if request.store_id == "str_1" {
            Ok(store())
        } else {
            Err(Status::from(ServiceError::new(
                ErrorCode::NotFound,
                "STORE_UNKNOWN",
                "We couldn't find that store.",
            )))
        }
    });
    let gateway = Gateway::start_with(&services, &[("STORE_WATCHERS_PER_ADDRESS", "1")]).await;
    assert_eq!(request(&gateway, "str_2").await.status(), 404);
    let first = open(&gateway).await;
    let rejected = request(&gateway, "str_1").await;
    assert!(rejected.headers().contains_key("retry-after"));
    let (status, body) = status_and_body(rejected).await;
    assert_eq!((status, body["reason"].as_str()), (429, Some("TOO_MANY_STREAMS")));
    drop(first);
    let gateway = Gateway::start_with(&services, &[("STORE_WATCHERS_IN_ALL", "0")]).await;
    let (status, body) = status_and_body(request(&gateway, "str_1").await).await;
    assert_eq!((status, body["reason"].as_str()), (429, Some("STREAMS_FULL")));
}
