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
    pub status: String,
}

#[derive(Debug, Deserialize)]
struct ApiResponse {
    data: Queue,
}

#[derive(Debug, Deserialize)]
struct Queue {
    orders: Vec<QueuedOrder>,
}

impl StoreApi {
    pub fn new(gateway: String, credential: String) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder().timeout(REQUEST_TIMEOUT).build()?;
        Ok(Self {
            client,
            gateway,
            credential,
        })
    }

    /// Returns the open orders of all stores.
    pub async fn queue(&self) -> anyhow::Result<Vec<QueuedOrder>> {
        let url = format!("{}/store-api/queue", self.gateway);
        let response = self
            .client
            .get(url)
            .bearer_auth(&self.credential)
            .send()
            .await?
            .error_for_status()?;
        let response: ApiResponse = response.json().await.context("cannot read the queue")?;
        Ok(response.data.orders)
    }

    /// Advances an order by a step: `accept`, `start`, `ready`, `complete` or `reject`.
    pub async fn advance(&self, order_id: &str, step: &str) -> anyhow::Result<()> {
        let url = format!("{}/store-api/orders/{order_id}/{step}", self.gateway);
        let mut request = self.client.post(url).bearer_auth(&self.credential);
        if step == "reject" {
            request =
                request.json(&serde_json::json!({ "reason": "We just ran out of an item in this order." }));
        }
        request.send().await?.error_for_status()?;
        Ok(())
    }
}
