//! The stream of a consumer's orders.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use lapin::options::{BasicPublishOptions, ExchangeDeleteOptions, QueueDeleteOptions};
use lapin::{BasicProperties, Connection, ConnectionProperties};
use prost::Message;
use proto::accounts::v1::{GetSessionRequest, LogoutRequest, LogoutResponse, Session};
use proto::ordering::v1::{
    GetOrderRequest, ListActiveOrdersRequest, ListOrdersResponse, Order, OrderEvent, OrderReady,
    OrderSnapshot, OrderStatus, order_event::Change,
};
use reqwest::Response;
use serde_json::{Value, json};

use crate::gateway::{Act, CONSUMER, Gateway, SESSION, everybody_is_signed_in, token, told};
use crate::services::Services;

/// One order whose version a test moves.
fn one_order(services: &Services) -> Arc<AtomicI64> {
    let version = Arc::new(AtomicI64::new(1));
    let order = |version: &AtomicI64| {
        let mut order = Order {
            order_id: "ord_1".into(),
            version: version.load(Ordering::SeqCst),
            ..Default::default()
        };
        order.set_status(OrderStatus::Preparing);
        order
    };
    let (listed, got) = (version.clone(), version.clone());
    services.on("ListActiveOrders", move |_: ListActiveOrdersRequest| {
        Ok(ListOrdersResponse {
            orders: vec![order(&listed)],
        })
    });
    services.on("GetOrder", move |_: GetOrderRequest| Ok(order(&got)));
    version
}

/// Reads events one by one.
struct Events(Response, String);

impl Events {
    async fn open(gateway: &Gateway, token: &str) -> Self {
        let response = gateway
            .get("/api/consumer/order/events")
            .by_consumer(token)
            .send()
            .await
            .unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["content-type"]),
            (200, &"text/event-stream".parse().unwrap())
        );
        Self(response, String::new())
    }

    /// The next event's name and data; none at the end.
    async fn next(&mut self) -> Option<(String, Value)> {
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
                self.1 = rest.to_owned();
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
async fn without_the_broker_a_stream_asks_for_itself_and_ends_with_the_session() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    services.on("Logout", |_: LogoutRequest| Ok(LogoutResponse {}));
    let version = one_order(&services);
    let gateway = Gateway::start(&services).await;
    let token = token();
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
        .by_consumer(&token);
    assert_eq!(logout.send().await.unwrap().status(), 200);
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn a_fact_on_the_broker_reaches_the_stream_within_a_second() {
    let url = std::env::var("TEST_AMQP_URL").unwrap_or_else(|_| "amqp://127.0.0.1:7272".to_owned());
    let prefix = format!("gateway-test-{}", token());
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    let version = one_order(&services);
    let gateway = Gateway::start_with(&services, &[("AMQP_URL", &url), ("BROKER_PREFIX", &prefix)]).await;
    let broker = Connection::connect(&url, ConnectionProperties::default())
        .await
        .unwrap();
    let channel = broker.create_channel().await.unwrap();
    let exchange = format!("{prefix}.events");
    let mut events = Events::open(&gateway, &token()).await;
    assert_eq!(events.next().await.unwrap().0, "snapshot");
    // Until the gateway's own queue stands, facts are heard by nobody: the poll covers that, and later ones come by the broker.
    tokio::time::sleep(Duration::from_secs(5)).await;
    version.store(7, Ordering::SeqCst);
    let order = OrderSnapshot {
        order_id: "ord_1".into(),
        consumer_id: CONSUMER.into(),
        version: 7,
        ..Default::default()
    };
    let event = OrderEvent {
        order: Some(order),
        change: Some(Change::Ready(OrderReady {})),
    };
    let published = std::time::Instant::now();
    let (options, properties) = (BasicPublishOptions::default(), BasicProperties::default());
    channel
        .basic_publish(
            exchange.as_str().into(),
            "ordering.OrderReady".into(),
            options,
            &event.encode_to_vec(),
            properties,
        )
        .await
        .unwrap();
    let (name, order) = events.next().await.unwrap();
    assert_eq!((&*name, &order["version"]), ("order", &json!(7)));
    assert!(
        published.elapsed() < Duration::from_secs(1),
        "{:?}",
        published.elapsed()
    );
    drop(gateway);
    for (service, _) in proto::topology::CONSUMERS {
        for queue in [format!("{prefix}.{service}"), format!("{prefix}.{service}.dead")] {
            channel
                .queue_delete(queue.as_str().into(), QueueDeleteOptions::default())
                .await
                .unwrap();
        }
    }
    channel
        .queue_delete(
            format!("{prefix}.unrouted").as_str().into(),
            QueueDeleteOptions::default(),
        )
        .await
        .unwrap();
    channel
        .exchange_delete(exchange.as_str().into(), ExchangeDeleteOptions::default())
        .await
        .unwrap();
}

#[tokio::test]
async fn shut_down_ends_streams_and_exits_well() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    one_order(&services);
    let mut gateway = Gateway::start(&services).await;
    let mut events = Events::open(&gateway, &token()).await;
    assert_eq!(events.next().await.unwrap().0, "snapshot");
    let told = std::process::Command::new("kill")
        .args(["-TERM", &gateway.pid().to_string()])
        .status()
        .unwrap();
    assert!(told.success());
    assert!(events.next().await.is_none());
    for _ in 0..100 {
        if let Some(well) = gateway.has_ended() {
            assert!(well);
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("still running five seconds after it was told to stop");
}

/// A stream that is not there to be had: why, and whether it is said when to try again.
async fn refused(gateway: &Gateway, token: &str) -> String {
    let response = gateway
        .get("/api/consumer/order/events")
        .by_consumer(token)
        .send()
        .await
        .unwrap();
    let wait: u64 = response.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(wait >= 1);
    let (status, body) = told(response).await;
    assert_eq!((status, body["success"].as_bool()), (429, Some(false)));
    body["reason"].as_str().unwrap().to_owned()
}

/// Opens a stream as soon as there is room for one.
async fn opened_in_time(gateway: &Gateway, token: &str) -> Events {
    for _ in 0..100 {
        let request = gateway.get("/api/consumer/order/events").by_consumer(token);
        let response = request.send().await.unwrap();
        if response.status() == 200 {
            return Events(response, String::new());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("a stream that was closed still counts five seconds later");
}

#[tokio::test]
async fn a_consumer_has_so_many_streams_and_a_closed_one_makes_room() {
    let services = Services::start().await;
    // The token says who it is.
    services.on("GetSession", |request: GetSessionRequest| {
        let other = request.session_token.starts_with("bob");
        let consumer_id = if other {
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
    one_order(&services);
    let gateway = Gateway::start_with(&services, &[("STREAMS_PER_CONSUMER", "2")]).await;
    // Two sessions of hers count together.
    let (ada, ada_too, bob) = (token(), token(), format!("bob-{}", token()));
    let first = Events::open(&gateway, &ada).await;
    let mut second = Events::open(&gateway, &ada_too).await;
    assert_eq!(refused(&gateway, &ada).await, "TOO_MANY_STREAMS");
    assert_eq!(
        services.seen("ListActiveOrders").len(),
        2,
        "refused before anything is asked"
    );
    let _his = Events::open(&gateway, &bob).await;
    drop(first);
    let mut third = opened_in_time(&gateway, &ada).await;
    assert_eq!(refused(&gateway, &ada_too).await, "TOO_MANY_STREAMS");
    for events in [&mut second, &mut third] {
        assert_eq!(events.next().await.unwrap().0, "snapshot");
    }
}

#[tokio::test]
async fn a_gateway_has_so_many_streams_in_all_and_one_that_fails_to_open_takes_none() {
    let services = Services::start().await;
    everybody_is_signed_in(&services);
    let gateway = Gateway::start_with(&services, &[("STREAMS_IN_ALL", "1")]).await;
    // Ordering is away: nothing opens, and nothing is kept for it.
    for _ in 0..3 {
        let request = gateway.get("/api/consumer/order/events").by_consumer(&token());
        assert_eq!(request.send().await.unwrap().status(), 503);
    }
    one_order(&services);
    let only = Events::open(&gateway, &token()).await;
    assert_eq!(refused(&gateway, &token()).await, "STREAMS_FULL");
    drop(only);
    opened_in_time(&gateway, &token()).await;
}
