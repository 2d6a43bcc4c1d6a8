//! Streams of server-sent events, opened at one gateway as a browser does.

use std::{net::SocketAddr, time::Duration};

use reqwest::{RequestBuilder, Response};
use serde_json::Value;
use tokio::time::timeout;

use super::{Consumer, Store, TIMEOUT};

/// Longer than a test.
const STREAM_TIMEOUT: Duration = Duration::from_mins(5);

pub struct EventStream {
    response: Response,
    received: String,
    /// Of the order that the test waits for.
    last_version: i64,
}

impl Consumer {
    /// Follows the orders of the consumer at a gateway. Returns the orders of the snapshot.
    pub async fn follow_orders(&self, gateway: SocketAddr) -> (EventStream, Vec<Value>) {
        let url = format!("http://{gateway}/api/consumer/order/events");
        EventStream::open(self.stream(&url)).await
    }
}

impl Store {
    /// Follows the queue of the store at a gateway. Returns the orders of the snapshot.
    pub async fn follow_queue(&self, gateway: SocketAddr) -> (EventStream, Vec<Value>) {
        let url = format!("http://{gateway}/store-api/queue/events?storeId={}", self.id);
        EventStream::open(self.stream(&url)).await
    }
}

impl EventStream {
    async fn open(request: RequestBuilder) -> (Self, Vec<Value>) {
        let response = request.timeout(STREAM_TIMEOUT).send().await.unwrap();
        assert_eq!(response.status(), 200);
        let mut stream = Self {
            response,
            received: String::new(),
            last_version: 0,
        };
        let (name, snapshot) = stream.next().await.expect("a snapshot");
        assert_eq!(name, "snapshot");
        (stream, snapshot["orders"].as_array().unwrap().clone())
    }

    /// Returns the name and the data of the next event about orders, or `None` if the stream has ended.
    pub async fn next(&mut self) -> Option<(String, Value)> {
        timeout(TIMEOUT, self.read_event()).await.expect("an event")
    }

    async fn read_event(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, others)) = self.received.split_once("\n\n") {
                let (event, others) = (event.to_owned(), others.to_owned());
                self.received = others;
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                // Comments keep the connection open, and the inbox has events of its own.
                match (field("event: "), field("data: ")) {
                    (Some(name), Some(data)) if name != "inbox" => {
                        return Some((name.to_owned(), serde_json::from_str(data).unwrap()));
                    }
                    _ => continue,
                }
            }
            let chunk = self.response.chunk().await.ok().flatten()?;
            self.received.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// Reads until the order has the status. Panics on an event about another order, and unless each event has a newer version.
    pub async fn wait_for_status(&mut self, order_id: &str, status: &str) {
        loop {
            let (name, order) = self.next().await.expect("the stream has ended");
            assert_eq!(
                (name.as_str(), &order["orderId"]),
                ("order", &Value::from(order_id))
            );
            let version = order["version"].as_i64().unwrap();
            assert!(version > self.last_version, "{order}");
            self.last_version = version;
            if order["status"] == status {
                return;
            }
        }
    }

    /// Reads until the order has left the queue.
    pub async fn wait_for_removal(&mut self, order_id: &str) {
        loop {
            let (name, order) = self.next().await.expect("the stream has ended");
            assert_eq!(order["orderId"], order_id);
            if name == "removed" {
                return;
            }
        }
    }
}
