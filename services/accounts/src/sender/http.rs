//! Sender over an SMS provider's HTTP API: `POST {"to", "body"}` with a bearer token and an idempotency key.

use async_trait::async_trait;
use secrecy::{ExposeSecret, SecretString};

use super::{MessageSender, SendError, check_status, http_client, send_request};

#[derive(Debug)]
pub(super) struct HttpSender {
    client: reqwest::Client,
    url: String,
    token: Option<SecretString>,
}

impl HttpSender {
    pub(super) fn new(url: String, token: Option<SecretString>) -> anyhow::Result<Self> {
        let client = http_client()?;
        Ok(Self { client, url, token })
    }
}

#[async_trait]
impl MessageSender for HttpSender {
    async fn send(&self, id: &str, phone: &str, body: &str) -> Result<(), SendError> {
        let mut request = self
            .client
            .post(&self.url)
            .header("idempotency-key", id)
            .json(&serde_json::json!({ "to": phone, "body": body }));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.expose_secret());
        }
        check_status(send_request(request).await?.status(), "")
    }
}
