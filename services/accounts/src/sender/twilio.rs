//! Sender over Twilio's API: `POST /2010-04-01/Accounts/{sid}/Messages.json`.

use async_trait::async_trait;
use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use super::{MessageSender, SendError, check_status, http_client, send_request};

/// Prefix of the SIDs of messaging services.
const MESSAGING_SERVICE: &str = "MG";

#[derive(Debug)]
pub(super) struct TwilioSender {
    client: reqwest::Client,
    messages_url: Url,
    account_sid: String,
    auth_token: SecretString,
    from_field: &'static str,
    from: String,
}

/// The part of an error response that contains no phone number.
#[derive(Debug, Default, Deserialize)]
struct ErrorBody {
    /// For example 21211: the number does not exist.
    code: Option<u32>,
}

impl TwilioSender {
    /// # Errors
    /// `base_url` is not a URL.
    pub(super) fn new(
        base_url: &str,
        account_sid: String,
        auth_token: SecretString,
        from: &str,
    ) -> anyhow::Result<Self> {
        let url = format!(
            "{}/2010-04-01/Accounts/{account_sid}/Messages.json",
            base_url.trim_end_matches('/')
        );
        let messages_url = Url::parse(&url)
            .map_err(|error| anyhow::anyhow!("bad configuration: TWILIO_URL: expected a URL: {error}"))?;
        let (from_field, from) = if from.starts_with(MESSAGING_SERVICE) {
            ("MessagingServiceSid", from.to_owned())
        } else {
            // The configuration parses an unquoted `+1…` as a number, which drops the plus.
            ("From", format!("+{}", from.trim_start_matches('+')))
        };
        Ok(Self {
            client: http_client()?,
            messages_url,
            account_sid,
            auth_token,
            from_field,
            from,
        })
    }
}

#[async_trait]
impl MessageSender for TwilioSender {
    /// Twilio has no idempotency key: if its response is lost, the message is sent twice, with the same code.
    async fn send(&self, _id: &str, phone: &str, body: &str) -> Result<(), SendError> {
        let request = self
            .client
            .post(self.messages_url.clone())
            .basic_auth(&self.account_sid, Some(self.auth_token.expose_secret()))
            .form(&[("To", phone), (self.from_field, &self.from), ("Body", body)]);
        let response = send_request(request).await?;
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        let body: ErrorBody = response.json().await.unwrap_or_default();
        let detail = body.code.map(|code| format!(", code {code}"));
        check_status(status, &detail.unwrap_or_default())
    }
}
