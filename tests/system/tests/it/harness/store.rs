//! Client of the store API.

use reqwest::{Client, ClientBuilder, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use types::StoreId;

use super::{Reply, Stack, consumer::REQUEST_TIMEOUT, settings};

#[derive(Clone)]
pub struct Store {
    pub id: StoreId,
    stack: &'static Stack,
    http: Client,
    credential: String,
}

fn client() -> ClientBuilder {
    Client::builder().timeout(REQUEST_TIMEOUT)
}

impl Stack {
    /// Returns a store that is always open and used by no other test.
    pub fn store(&'static self) -> Store {
        Store::new(self, self.next_store_id())
    }
}

impl Store {
    pub fn new(stack: &'static Stack, id: StoreId) -> Self {
        Self {
            id,
            stack,
            http: client().build().unwrap(),
            credential: settings::STORE_CREDENTIAL.clone(),
        }
    }

    /// Opens a connection for each request, as [`super::Consumer::without_keep_alive`] does.
    pub fn without_keep_alive(self) -> Self {
        let http = client().pool_max_idle_per_host(0).build().unwrap();
        Self { http, ..self }
    }

    /// Returns the store with another credential.
    pub fn as_credential(&self, credential: &str) -> Self {
        Self {
            credential: credential.to_owned(),
            ..self.clone()
        }
    }

    pub async fn accept(&self, order: &str) -> Reply {
        self.advance(order, "accept").await
    }

    pub async fn reject(&self, order: &str) -> Reply {
        let body = json!({ "reason": "We have just run out of cups." });
        self.post(&format!("orders/{order}/reject"), Some(body)).await
    }

    /// Advances an order from placed to completed.
    pub async fn make(&self, order: &str) {
        for step in ["accept", "start", "ready", "complete"] {
            self.advance(order, step).await.data();
        }
    }

    pub async fn advance(&self, order: &str, step: &str) -> Reply {
        self.post(&format!("orders/{order}/{step}"), None).await
    }

    pub async fn order(&self, order: &str) -> Reply {
        let url = format!("{}/store-api/orders/{order}", self.stack.origin());
        Reply::to(self.http.get(url).bearer_auth(&self.credential)).await
    }

    /// Returns what all services recorded about an order, for operators.
    pub async fn order_timeline(&self, order: &str) -> Reply {
        let url = format!(
            "{}/store-api/operator/orders/{order}/timeline",
            self.stack.origin()
        );
        Reply::to(self.http.get(url).bearer_auth(&self.credential)).await
    }

    pub async fn pause(&self) {
        self.try_pause().await.data();
    }

    pub async fn try_pause(&self) -> Reply {
        self.post(&format!("stores/{}/pause", self.id), None).await
    }

    pub async fn fetch_queue(&self) -> Reply {
        let url = format!("{}/store-api/queue?storeId={}", self.stack.origin(), self.id);
        Reply::to(self.http.get(url).bearer_auth(&self.credential)).await
    }

    /// Returns the ids of the orders in the queue.
    pub async fn queue(&self) -> Vec<String> {
        let reply = self.fetch_queue().await;
        let orders = reply.data()["orders"].as_array().unwrap().clone();
        orders
            .iter()
            .map(|order| order["orderId"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Sets opening hours that start twelve hours from now.
    pub async fn close_for_now(&self) {
        self.delete_hours().await;
        let mut stores = self.stack.database("stores").await;
        sqlx::query(
            "INSERT INTO store_hours (store_id, weekday, opens_minute, closes_minute)
             SELECT store_id, weekday, opens, opens + 30
             FROM (SELECT store_id, (extract(hour FROM now() AT TIME ZONE time_zone)::int + 12) % 24 * 60 AS opens
                   FROM stores WHERE store_id = $1) AS store, generate_series(1, 7) AS weekday",
        )
        .bind(self.id.uuid())
        .execute(&mut stores)
        .await
        .unwrap();
    }

    pub async fn delete_hours(&self) {
        let mut stores = self.stack.database("stores").await;
        sqlx::query("DELETE FROM store_hours WHERE store_id = $1")
            .bind(self.id.uuid())
            .execute(&mut stores)
            .await
            .unwrap();
    }

    /// Returns the ids and statuses of the orders in the queue, or `None` if the queue is unavailable.
    pub async fn try_queue(&self) -> Option<Vec<(String, String)>> {
        let path = format!("queue?storeId={}", self.id);
        let reply = self.try_send(Method::GET, &path, None).await.ok()?;
        let orders = reply.body["data"]["orders"].as_array()?;
        let text = |order: &Value, field: &str| order[field].as_str().unwrap().to_owned();
        Some(
            orders
                .iter()
                .map(|order| (text(order, "orderId"), text(order, "status")))
                .collect(),
        )
    }

    /// Returns a request for a stream at the address of one gateway.
    pub(super) fn stream(&self, url: &str) -> RequestBuilder {
        self.http.get(url).bearer_auth(&self.credential)
    }

    /// Sends any request and returns the start of the response, which may be a stream.
    pub async fn open(&self, method: Method, path: &str, content_type: &str, body: Vec<u8>) -> Response {
        let url = format!("{}{path}", self.stack.origin());
        let request = self.http.request(method, url).bearer_auth(&self.credential);
        let request = match content_type {
            "" => request,
            content_type => request.header("content-type", content_type).body(body),
        };
        request.send().await.unwrap()
    }

    /// Sends a POST to a path below `/store-api`.
    pub async fn post(&self, path: &str, body: Option<Value>) -> Reply {
        self.try_send(Method::POST, path, body).await.unwrap()
    }

    /// Sends a request to a path below `/store-api`.
    ///
    /// # Errors
    /// If no complete response arrives. The request may have been executed.
    pub async fn try_send(&self, method: Method, path: &str, body: Option<Value>) -> reqwest::Result<Reply> {
        let url = format!("{}/store-api/{path}", self.stack.origin());
        let request = self.http.request(method, url).bearer_auth(&self.credential);
        Reply::try_to(match body {
            Some(body) => request.json(&body),
            None => request,
        })
        .await
    }
}
