//! An SMS provider behind HTTP: `POST {"to", "body"}` with a bearer token and an idempotency key.

use std::time::Duration;

use async_trait::async_trait;
use secrecy::{ExposeSecret, SecretString};

use super::MessageSender;

/// Posts to a provider.
#[derive(Debug)]
pub struct HttpSender {
    client: reqwest::Client,
    url: String,
    token: Option<SecretString>,
}

impl HttpSender {
    /// A sender that posts to `url`.
    ///
    /// # Errors
    /// No HTTP client can be made.
    pub fn new(url: String, token: Option<SecretString>) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(10))
            .build()?;
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
