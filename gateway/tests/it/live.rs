//! The live stream of a consumer's orders.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use proto::accounts::v1::{GetSessionRequest, LogoutRequest, LogoutResponse, Session};
use proto::ordering::v1::{
    GetOrderRequest, ListActiveOrdersRequest, ListOrdersResponse, Order, OrderEvent, OrderReady,
    OrderSnapshot, OrderStatus, order_event::Change,
};
use proto::rewards::v1::{InboxEvent, InboxMessageAdded, inbox_event};
use reqwest::Response;
use serde_json::{Value, json};
use tonic::Status;

use crate::broker::TestBroker;
use crate::fake_services::FakeServices;
use crate::fixtures::order;
use crate::harness::{
    CONSUMER, Gateway, SESSION, WithSession, accept_all_sessions, new_token, status_and_body,
};

/// Makes ordering return one order. The test sets its version.
fn reply_with_order(services: &FakeServices) -> Arc<AtomicI64> {
    let version = Arc::new(AtomicI64::new(1));
    let order = |version: &AtomicI64| Order {
        version: version.load(Ordering::SeqCst),
        ..order(OrderStatus::Preparing)
    };
    let (listed, got) = (version.clone(), version.clone());
    services.on("ListActiveOrders", move |_: ListActiveOrdersRequest| {
        Ok(ListOrdersResponse {
            orders: vec![order(&listed)],
            ..Default::default()
        })
    });
    services.on("GetOrder", move |_: GetOrderRequest| Ok(order(&got)));
    version
}

fn order_ready(version: i64) -> OrderEvent {
    let order = OrderSnapshot {
        order_id: "ord_1".into(),
        consumer_id: CONSUMER.into(),
        version,
        ..Default::default()
    };
    OrderEvent {
        order: Some(order),
        change: Some(Change::Ready(OrderReady {})),
    }
}

/// An open stream, with the received text that is not parsed yet.
pub struct Events(pub Response, pub String);

impl Events {
    async fn open(gateway: &Gateway, token: &str) -> Self {
        let response = gateway
            .get("/api/consumer/order/events")
            .with_session(token)
            .send()
            .await
            .unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["content-type"]),
            (200, &"text/event-stream".parse().unwrap())
        );
        Self(response, String::new())
    }

    /// Returns name and data of the next event, or `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, rest)) = self.1.split_once("\n\n") {
                let field = |name: &str| {
                    event
                        .lines()
                        .find_map(|line| line.strip_prefix(name))
                        .unwrap_or_default()
                        .trim()
                        .to_owned()
                };
                let (name, data) = (field("event:"), field("data:"));
                let rest = rest.to_owned();
                self.1 = rest;
                if !name.is_empty() {
                    return Some((name, serde_json::from_str(&data).unwrap()));
                }
                continue;
            }
            let chunk = tokio::time::timeout(Duration::from_secs(10), self.0.chunk())
                .await
                .unwrap()
                .unwrap()?;
            self.1.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}

#[tokio::test]
async fn without_the_broker_a_stream_polls_and_ends_with_the_session() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    services.on("Logout", |_: LogoutRequest| Ok(LogoutResponse {}));
    let version = reply_with_order(&services);
    let gateway = Gateway::start(&services).await;
    let token = new_token();
    let mut events = Events::open(&gateway, &token).await;
    let (name, snapshot) = events.next().await.unwrap();
    assert_eq!(
        (&*name, &snapshot["orders"][0]["version"]),
        ("snapshot", &json!(1))
    );
    version.store(2, Ordering::SeqCst);
    let (name, order) = events.next().await.unwrap();
    assert_eq!(
        (&*name, &order["version"], &order["status"]),
        ("order", &json!(2), &json!("Preparing"))
    );
    let logout = gateway
        .post("/api/consumer/authentication/logout", &json!({}))
        .with_session(&token);
    assert_eq!(logout.send().await.unwrap().status(), 200);
    assert!(events.next().await.is_none());
}

fn message_added(consumer: &str, unseen: u32) -> InboxEvent {
    let added = InboxMessageAdded {
        message_id: "msg_1".into(),
        unseen,
    };
    InboxEvent {
        consumer_id: consumer.into(),
        change: Some(inbox_event::Change::MessageAdded(added)),
    }
}

/// Waits until events reach the stream by way of the broker. Until then it polls orders, but not the inbox.
async fn wait_for_connection(broker: &TestBroker, events: &mut Events) {
    for _ in 0..200 {
        broker.publish(&message_added(CONSUMER, 98)).await;
        let next = tokio::time::timeout(Duration::from_millis(200), events.next());
        if next.await.is_ok() {
            // The stream has read the orders that it may have missed before it sends this.
            broker.publish(&message_added(CONSUMER, 99)).await;
            while events.next().await.unwrap().1 != json!({ "unseen": 99 }) {}
            return;
        }
    }
    panic!("the gateway receives no events");
}

#[tokio::test]
async fn an_order_event_reaches_the_stream_without_polling() {
    let broker = TestBroker::connect().await;
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let version = reply_with_order(&services);
    let gateway = Gateway::start_with(&services, &broker.settings()).await;
    let mut events = Events::open(&gateway, &new_token()).await;
    assert_eq!(events.next().await.unwrap().0, "snapshot");
    wait_for_connection(&broker, &mut events).await;
    let polls = services.calls("ListActiveOrders").len();
    version.store(7, Ordering::SeqCst);
    broker.publish(&order_ready(7)).await;
    let (name, order) = events.next().await.unwrap();
    assert_eq!((&*name, &order["version"]), ("order", &json!(7)));
    assert_eq!(services.calls("ListActiveOrders").len(), polls);
    drop(gateway);
    broker.delete_topology().await;
}

#[tokio::test]
async fn the_number_of_unseen_messages_reaches_only_its_consumer() {
    let broker = TestBroker::connect().await;
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    reply_with_order(&services);
    let gateway = Gateway::start_with(&services, &broker.settings()).await;
    let mut events = Events::open(&gateway, &new_token()).await;
    assert_eq!(events.next().await.unwrap().0, "snapshot");
    wait_for_connection(&broker, &mut events).await;
    for (consumer, unseen) in [("usr_01h455vb4pex5vsknk084sn02r", 9), (CONSUMER, 3)] {
        broker.publish(&message_added(consumer, unseen)).await;
    }
    let (name, inbox) = events.next().await.unwrap();
    assert_eq!((&*name, &inbox), ("inbox", &json!({ "unseen": 3 })));
    drop(gateway);
    broker.delete_topology().await;
}

#[tokio::test]
async fn a_failed_or_stale_read_after_an_event_is_repeated() {
    let broker = TestBroker::connect().await;
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    reply_with_order(&services);
    let gateway = Gateway::start_with(&services, &broker.settings()).await;
    let mut events = Events::open(&gateway, &new_token()).await;
    assert_eq!(events.next().await.unwrap().0, "snapshot");
    wait_for_connection(&broker, &mut events).await;
    let reads = AtomicI64::new(0);
    services.on("GetOrder", move |_: GetOrderRequest| {
        let version = match reads.fetch_add(1, Ordering::SeqCst) {
            0..3 => return Err(Status::unavailable("restarting")),
            3 => 1_006,
            _ => 1_007,
        };
        Ok(Order {
            version,
            ..order(OrderStatus::Ready)
        })
    });
    broker.publish(&order_ready(1_007)).await;
    for version in [1_006, 1_007] {
        let (name, order) = events.next().await.unwrap();
        assert_eq!((&*name, &order["version"]), ("order", &json!(version)));
    }
    drop(gateway);
    broker.delete_topology().await;
}

#[tokio::test]
async fn shutdown_ends_streams_and_exits_with_success() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    reply_with_order(&services);
    let mut gateway = Gateway::start(&services).await;
    let mut events = Events::open(&gateway, &new_token()).await;
    assert_eq!(events.next().await.unwrap().0, "snapshot");
    let kill = std::process::Command::new("kill")
        .args(["-TERM", &gateway.pid().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    assert!(events.next().await.is_none());
    for _ in 0..600 {
        if let Some(success) = gateway.exit_success() {
            assert!(success);
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("still running half a minute after SIGTERM");
}

/// Checks that the stream is rejected with `Retry-After`, and returns the reason.
async fn rejection_reason(gateway: &Gateway, token: &str) -> String {
    let response = gateway
        .get("/api/consumer/order/events")
        .with_session(token)
        .send()
        .await
        .unwrap();
    let wait: u64 = response.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(wait >= 1);
    let (status, body) = status_and_body(response).await;
    assert_eq!((status, body["success"].as_bool()), (429, Some(false)));
    body["reason"].as_str().unwrap().to_owned()
}

/// Opens a stream, with retries until the gateway has noticed that another one was closed.
async fn open_with_retries(gateway: &Gateway, token: &str) -> Events {
    for _ in 0..600 {
        let request = gateway.get("/api/consumer/order/events").with_session(token);
        let response = request.send().await.unwrap();
        if response.status() == 200 {
            return Events(response, String::new());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("a closed stream still counts after half a minute");
}

#[tokio::test]
async fn streams_are_limited_per_consumer_until_one_is_closed() {
    let services = FakeServices::start().await;
    services.on("GetSession", |request: GetSessionRequest| {
        let is_bob = request.session_token.starts_with("bob");
        let consumer_id = if is_bob {
            "usr_01h455vb4pex5vsknk084sn02r"
        } else {
            CONSUMER
        }
        .to_owned();
        Ok(Session {
            consumer_id,
            session_id: SESSION.to_owned(),
            ..Default::default()
        })
    });
    reply_with_order(&services);
    let gateway = Gateway::start_with(&services, &[("STREAMS_PER_CONSUMER", "2")]).await;
    let (ada, ada_second_session, bob) = (new_token(), new_token(), format!("bob-{}", new_token()));
    let first = Events::open(&gateway, &ada).await;
    let mut second = Events::open(&gateway, &ada_second_session).await;
    // The limit is checked before ordering is called.
    services.on("ListActiveOrders", |_: ListActiveOrdersRequest| {
        Err::<ListOrdersResponse, _>(Status::unavailable("restarting"))
    });
    assert_eq!(rejection_reason(&gateway, &ada).await, "TOO_MANY_STREAMS");
    reply_with_order(&services);
    let _bobs_stream = Events::open(&gateway, &bob).await;
    drop(first);
    let mut third = open_with_retries(&gateway, &ada).await;
    assert_eq!(
        rejection_reason(&gateway, &ada_second_session).await,
        "TOO_MANY_STREAMS"
    );
    for events in [&mut second, &mut third] {
        assert_eq!(events.next().await.unwrap().0, "snapshot");
    }
}

#[tokio::test]
async fn streams_are_limited_in_all_and_failed_ones_do_not_count() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    let gateway = Gateway::start_with(&services, &[("STREAMS_IN_ALL", "1")]).await;
    // Without a reply of ordering, no stream opens.
    for _ in 0..3 {
        let request = gateway
            .get("/api/consumer/order/events")
            .with_session(&new_token());
        assert_eq!(request.send().await.unwrap().status(), 503);
    }
    reply_with_order(&services);
    let stream = Events::open(&gateway, &new_token()).await;
    assert_eq!(rejection_reason(&gateway, &new_token()).await, "STREAMS_FULL");
    drop(stream);
    open_with_retries(&gateway, &new_token()).await;
}
