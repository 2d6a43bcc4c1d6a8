//! Sender over an SMS provider's HTTP API: `POST {"to", "body"}` with a bearer token and an idempotency key.

use std::time::Duration;

use async_trait::async_trait;
use secrecy::{ExposeSecret, SecretString};

use super::MessageSender;

const TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct HttpSender {
    client: reqwest::Client,
    url: String,
    token: Option<SecretString>,
}

impl HttpSender {
    pub(super) fn new(url: String, token: Option<SecretString>) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder().timeout(TIMEOUT).build()?;
        Ok(Self { client, url, token })
    }
}

#[async_trait]
impl MessageSender for HttpSender {
    async fn send(&self, id: &str, phone: &str, body: &str) -> anyhow::Result<()> {
        let mut request = self
            .client
            .post(&self.url)
            .header("idempotency-key", id)
            .json(&serde_json::json!({ "to": phone, "body": body }));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.expose_secret());
        }
        request.send().await?.error_for_status()?;
        Ok(())
    }
}
