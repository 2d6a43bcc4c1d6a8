//! Sender over an HTTP API: `POST {"channel", "to", "body", "design"}` with a bearer token and an idempotency key.

use async_trait::async_trait;
use secrecy::{ExposeSecret, SecretString};

use super::{GiftMessage, GiftMessageSender, SEND_TIMEOUT, SendError, body};

#[derive(Debug)]
pub(super) struct HttpSender {
    client: reqwest::Client,
    url: String,
    token: Option<SecretString>,
    redeem_url: String,
}

impl HttpSender {
    pub(super) fn new(url: String, token: Option<SecretString>, redeem_url: String) -> anyhow::Result<Self> {
        kit::tls::install_provider();
        let client = reqwest::Client::builder().timeout(SEND_TIMEOUT).build()?;
        Ok(Self {
            client,
            url,
            token,
            redeem_url,
        })
    }
}

#[async_trait]
impl GiftMessageSender for HttpSender {
    async fn send(&self, id: &str, message: &GiftMessage) -> Result<(), SendError> {
        let request = self.client.post(&self.url).header("idempotency-key", id);
        let request = match &self.token {
            Some(token) => request.bearer_auth(token.expose_secret()),
            None => request,
        };
        let json = serde_json::json!({
            "channel": message.recipient.kind.as_str(),
            "to": message.recipient.address,
            "body": body(message, &self.redeem_url),
            "design": message.design,
        });
        let response = request.json(&json).send().await;
        let status = response
            .map_err(|error| SendError(error.without_url().into()))?
            .status();
        if status.is_success() {
            Ok(())
        } else {
            Err(SendError(anyhow::anyhow!("the provider responded {status}")))
        }
    }
}
