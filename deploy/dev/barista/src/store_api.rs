//! The store API, as far as the barista uses it.

use std::time::Duration;

use anyhow::Context;
use serde::Deserialize;

/// A client with a store's credential.
#[derive(Debug)]
pub struct StoreApi {
    client: reqwest::Client,
    gateway: String,
    credential: String,
}

/// An order in the queue.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueuedOrder {
    /// Its id.
    pub order_id: String,
    /// Where it is in its life.
    pub status: String,
}

#[derive(Debug, Deserialize)]
struct Answer {
    data: Queue,
}

#[derive(Debug, Deserialize)]
struct Queue {
    orders: Vec<QueuedOrder>,
}

impl StoreApi {
    /// A client of the gateway at an address.
    ///
    /// # Errors
    /// No HTTP client can be made.
    pub fn new(gateway: String, credential: String) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(10))
            .build()?;
        Ok(Self {
            client,
            gateway,
            credential,
        })
    }

    /// What there is to do.
    ///
    /// # Errors
    /// The gateway is away or refuses.
    pub async fn queue(&self) -> anyhow::Result<Vec<QueuedOrder>> {
        let url = format!("{}/store-api/queue", self.gateway);
        let response = self
            .client
            .get(url)
            .bearer_auth(&self.credential)
            .send()
            .await?
            .error_for_status()?;
        let answer: Answer = response.json().await.context("the queue cannot be read")?;
        Ok(answer.data.orders)
    }

    /// Takes a step with an order: `accept`, `start`, `ready`, `complete`, `reject`.
    ///
    /// # Errors
    /// The gateway is away, or refuses because the order moved meanwhile.
    pub async fn step(&self, order_id: &str, step: &str) -> anyhow::Result<()> {
        let url = format!("{}/store-api/orders/{order_id}/{step}", self.gateway);
        let mut request = self.client.post(url).bearer_auth(&self.credential);
        if step == "reject" {
            request = request
                .json(&serde_json::json!({ "reason": "We have just run out of something for this order." }));
        }
        request.send().await?.error_for_status()?;
        Ok(())
    }
}
