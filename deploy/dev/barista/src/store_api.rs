//! A client of the store API.

use std::time::Duration;

use anyhow::Context;
use serde::Deserialize;

const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub struct StoreApi {
    client: reqwest::Client,
    gateway: String,
    credential: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueuedOrder {
    pub order_id: String,
    pub store_name: String,
    pub status: Status,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Status {
    Placed,
    Accepted,
    Preparing,
    Ready,
}

/// A step of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Accept,
    Reject,
    Start,
    MarkReady,
    Complete,
}

impl Step {
    /// The last part of its path in the store API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Start => "start",
            Self::MarkReady => "ready",
            Self::Complete => "complete",
        }
    }
}

#[derive(Debug, Deserialize)]
struct ApiResponse {
    data: Queue,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Queue {
    orders: Vec<QueuedOrder>,
    next_cursor: Option<String>,
}

impl StoreApi {
    pub fn new(gateway: String, credential: String) -> anyhow::Result<Self> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().timeout(REQUEST_TIMEOUT).build()?;
        Ok(Self {
            client,
            gateway,
            credential,
        })
    }

    /// Returns the open orders of all stores: all pages of the queue.
    pub async fn fetch_queue(&self) -> anyhow::Result<Vec<QueuedOrder>> {
        let mut page = self.fetch_page(None).await?;
        let mut orders = page.orders;
        while let Some(cursor) = page.next_cursor {
            page = self.fetch_page(Some(&cursor)).await?;
            orders.extend(page.orders);
        }
        Ok(orders)
    }

    async fn fetch_page(&self, cursor: Option<&str>) -> anyhow::Result<Queue> {
        let url = format!("{}/store-api/queue", self.gateway);
        let response = self
            .client
            .get(url)
            .query(&[("cursor", cursor)])
            .bearer_auth(&self.credential)
            .send()
            .await?
            .error_for_status()?;
        let response: ApiResponse = response.json().await.context("cannot read the queue")?;
        Ok(response.data)
    }

    pub async fn advance(&self, order_id: &str, step: Step) -> anyhow::Result<()> {
        let url = format!("{}/store-api/orders/{order_id}/{}", self.gateway, step.as_str());
        let mut request = self.client.post(url).bearer_auth(&self.credential);
        if step == Step::Reject {
            request =
                request.json(&serde_json::json!({ "reason": "We just ran out of an item in this order." }));
        }
        request.send().await?.error_for_status()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    /// Serves one response per connection, and returns the request lines.
    async fn serve(listener: TcpListener, pages: [&str; 2]) -> Vec<String> {
        let mut lines = Vec::new();
        for page in pages {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                request.push(stream.read_u8().await.unwrap());
            }
            let response = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}",
                page.len()
            );
            stream.write_all(response.as_bytes()).await.unwrap();
            lines.push(
                String::from_utf8(request)
                    .unwrap()
                    .lines()
                    .next()
                    .unwrap()
                    .to_owned(),
            );
        }
        lines
    }

    #[tokio::test]
    async fn all_pages_of_the_queue_are_read() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let gateway = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(serve(
            listener,
            [
                r#"{"data": {"orders": [{"orderId": "ord_1", "storeName": "Market", "status": "Placed"}], "nextCursor": "0 & 1"}}"#,
                r#"{"data": {"orders": [{"orderId": "ord_2", "storeName": "Market", "status": "Ready"}], "nextCursor": null}}"#,
            ],
        ));
        let api = StoreApi::new(gateway, "credential".to_owned()).unwrap();
        let queue = api.fetch_queue().await.unwrap();
        let ids: Vec<&str> = queue.iter().map(|order| order.order_id.as_str()).collect();
        assert_eq!(ids, ["ord_1", "ord_2"]);
        assert_eq!(
            server.await.unwrap(),
            [
                "GET /store-api/queue HTTP/1.1",
                "GET /store-api/queue?cursor=0+%26+1 HTTP/1.1"
            ]
        );
    }
}
