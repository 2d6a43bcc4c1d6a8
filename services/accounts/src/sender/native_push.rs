//! Push to the native app: `POST {"token", "message", "expiresAt"}` to an HTTP API with a bearer token and an idempotency key.

use reqwest::RequestBuilder;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::{http_client, push_message::PushMessage};

#[derive(Debug)]
pub(super) struct NativePush {
    client: reqwest::Client,
    url: String,
    bearer: Option<SecretString>,
}

impl NativePush {
    pub(super) fn new(url: String, bearer: Option<SecretString>) -> anyhow::Result<Self> {
        let client = http_client()?;
        Ok(Self { client, url, bearer })
    }

    /// Devices have different keys, and all attempts for a device are equal: a provider may ignore or reject a request with
    /// a known key.
    pub(super) fn request(&self, token: &str, message: &PushMessage) -> RequestBuilder {
        let request = self
            .client
            .post(&self.url)
            .header("idempotency-key", format!("{}:{}", message.id, message.device_id))
            .json(
                &json!({ "token": token, "message": message, "expiresAt": message.expires_at.to_string() }),
            );
        match &self.bearer {
            Some(bearer) => request.bearer_auth(bearer.expose_secret()),
            None => request,
        }
    }
}
