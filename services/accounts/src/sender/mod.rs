//! Senders of text messages, emails and push notifications.

pub(crate) mod email;
mod file;
mod http;
mod json_lines;
mod native_push;
pub(crate) mod push;
pub(crate) mod push_message;
mod twilio;
mod web_push;

use std::{path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use reqwest::{RequestBuilder, Response, StatusCode};
use secrecy::ExposeSecret;

use self::{
    email::EmailSender, json_lines::JsonLines, native_push::NativePush, push::PushSender, web_push::WebPush,
};
use crate::config::{NotificationConfig, SenderConfig};

/// Time for one attempt to send.
pub(crate) const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// A message that was not sent. The texts contain no phone number.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The message was not sent, and a later attempt may succeed.
    #[error("{0:#}")]
    Transient(anyhow::Error),
    /// The message may have been sent.
    #[error("{0:#}")]
    Unclear(anyhow::Error),
    /// The provider rejects this message for good, for example because the number does not exist.
    #[error("{0:#}")]
    Permanent(anyhow::Error),
}

#[async_trait]
pub trait MessageSender: Send + Sync + std::fmt::Debug {
    /// Sends a message. `id` is the same for each attempt, so that a provider can detect repeats.
    async fn send(&self, id: &str, phone: &str, body: &str) -> Result<(), SendError>;
}

/// Creates the configured sender.
///
/// # Errors
/// Not exactly one of `SMS_FILE`, `SMS_URL` and `TWILIO_ACCOUNT_SID` is set, or a setting of Twilio is missing.
pub fn from_config(config: SenderConfig) -> anyhow::Result<Arc<dyn MessageSender>> {
    let file = non_empty_path(config.sms_file);
    let url = config.sms_url;
    let account = config.twilio_account_sid.filter(|sid| !sid.is_empty());
    match (file, url, account) {
        (Some(path), None, None) => Ok(Arc::new(file::FileSender::new(path))),
        (None, Some(url), None) => Ok(Arc::new(http::HttpSender::new(url, config.sms_token)?)),
        (None, None, Some(account_sid)) => {
            let (Some(auth_token), Some(from)) = (config.twilio_auth_token, config.twilio_from) else {
                anyhow::bail!("bad configuration: TWILIO_AUTH_TOKEN, TWILIO_FROM: expected both");
            };
            let sender = twilio::TwilioSender::new(&config.twilio_url, account_sid, auth_token, &from)?;
            Ok(Arc::new(sender))
        }
        _ => {
            anyhow::bail!(
                "bad configuration: SMS_FILE, SMS_URL, TWILIO_ACCOUNT_SID: expected exactly one of them"
            )
        }
    }
}

/// A variable that is not set may be passed to the process as an empty string.
fn non_empty_path(path: Option<PathBuf>) -> Option<PathBuf> {
    path.filter(|path| !path.as_os_str().is_empty())
}

/// Senders of notifications.
#[derive(Debug)]
pub struct Senders {
    pub messages: Arc<dyn MessageSender>,
    pub(crate) email: Option<EmailSender>,
    pub(crate) push: PushSender,
}

impl Senders {
    /// Creates the configured senders. Channels without a setting are not used.
    ///
    /// # Errors
    /// A setting is invalid, or one that belongs to another is missing.
    pub fn new(messages: Arc<dyn MessageSender>, config: &NotificationConfig) -> anyhow::Result<Self> {
        Ok(Self {
            messages,
            email: email_sender(config)?,
            push: push_sender(config)?,
        })
    }

    #[must_use]
    pub const fn has_email(&self) -> bool {
        self.email.is_some()
    }

    #[must_use]
    pub const fn has_push(&self) -> bool {
        self.push.is_configured()
    }

    /// Returns the key with which browsers register for push notifications; empty if they cannot.
    #[must_use]
    pub fn push_key(&self) -> &str {
        self.push.web_key().unwrap_or_default()
    }
}

fn email_sender(config: &NotificationConfig) -> anyhow::Result<Option<EmailSender>> {
    let url = config
        .smtp_url
        .as_ref()
        .filter(|url| !url.expose_secret().is_empty());
    match (url, non_empty_path(config.email_file.clone())) {
        (Some(_), Some(_)) => {
            anyhow::bail!("bad configuration: SMTP_URL, EMAIL_FILE: expected at most one of them")
        }
        (Some(url), None) => {
            let from = config.email_from.as_deref().unwrap_or_default();
            EmailSender::over_smtp(url, from).map(Some)
        }
        (None, Some(file)) => Ok(Some(EmailSender::to_file(file))),
        (None, None) => Ok(None),
    }
}

fn push_sender(config: &NotificationConfig) -> anyhow::Result<PushSender> {
    let key = config
        .vapid_private_key
        .as_ref()
        .filter(|key| !key.expose_secret().is_empty());
    let web = key
        .map(|key| {
            let subject = config
                .vapid_subject
                .clone()
                .unwrap_or_else(|| config.public_origin().to_owned());
            WebPush::new(key, subject)
        })
        .transpose()?;
    let url = config.native_push_url.clone();
    let native = url
        .map(|url| NativePush::new(url, config.native_push_token.clone()))
        .transpose()?;
    Ok(PushSender {
        web,
        native,
        file: non_empty_path(config.push_file.clone()).map(JsonLines::new),
    })
}

fn http_client() -> anyhow::Result<reqwest::Client> {
    kit::tls::install_provider();
    Ok(reqwest::Client::builder().timeout(SEND_TIMEOUT).build()?)
}

/// Sends a request. Returns the response, whatever its status.
async fn send_request(request: RequestBuilder) -> Result<Response, SendError> {
    request.send().await.map_err(|error| {
        if error.is_connect() || error.is_builder() {
            SendError::Transient(error.without_url().into())
        } else {
            SendError::Unclear(error.without_url().into())
        }
    })
}

/// Returns the error for a status. `detail` must not contain the phone number.
///
/// Rejected credentials, a wrong address and rate limits are transient: they end when an operator corrects the settings or
/// with time, and a message is retried only until its code expires.
fn check_status(status: StatusCode, detail: &str) -> Result<(), SendError> {
    let is_transient = matches!(status.as_u16(), 401 | 403 | 404 | 408 | 425 | 429);
    let error = || anyhow::anyhow!("the provider responded {status}{detail}");
    if status.is_success() {
        Ok(())
    } else if status.is_client_error() && !is_transient {
        Err(SendError::Permanent(error()))
    } else if status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE {
        Err(SendError::Unclear(error()))
    } else {
        Err(SendError::Transient(error()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    use super::*;

    /// The first byte of a TLS handshake.
    const HANDSHAKE: u8 = 22;

    #[tokio::test]
    async fn an_https_address_is_called_with_tls() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://{}", listener.local_addr().unwrap());
        let sender = http::HttpSender::new(url, None).unwrap();
        let receive = async {
            let (mut connection, _) = listener.accept().await.unwrap();
            connection.read_u8().await.unwrap()
        };
        tokio::select! {
            first = receive => assert_eq!(first, HANDSHAKE),
            result = sender.send("msg_1", "+12065550100", "Hello") => panic!("no connection: {result:?}"),
        }
    }

    #[test]
    fn only_rejections_of_the_message_itself_are_permanent() {
        let check = |status: u16| check_status(StatusCode::from_u16(status).unwrap(), "");
        for status in [200, 201, 202] {
            assert!(check(status).is_ok(), "{status}");
        }
        for status in [400, 413, 422] {
            assert!(matches!(check(status), Err(SendError::Permanent(_))), "{status}");
        }
        for status in [302, 401, 403, 404, 408, 429, 503] {
            assert!(matches!(check(status), Err(SendError::Transient(_))), "{status}");
        }
        for status in [500, 502, 504] {
            assert!(matches!(check(status), Err(SendError::Unclear(_))), "{status}");
        }
    }

    #[test]
    fn exactly_one_sender_must_be_configured() {
        let config = |settings: serde_json::Value| from_config(serde_json::from_value(settings).unwrap());
        let (file, url) = ("/tmp/sms.jsonl", "https://sms.example.com");
        assert!(config(serde_json::json!({})).is_err());
        assert!(config(serde_json::json!({"sms_file": file, "sms_url": url})).is_err());
        assert!(config(serde_json::json!({"sms_url": url, "twilio_account_sid": "AC1"})).is_err());
        assert!(config(serde_json::json!({"twilio_account_sid": "AC1"})).is_err());
        assert!(
            config(serde_json::json!({"sms_file": file, "sms_url": "", "twilio_account_sid": ""})).is_ok()
        );
        let twilio = serde_json::json!({
            "sms_file": "", "twilio_account_sid": "AC1", "twilio_auth_token": "token", "twilio_from": "MG1"
        });
        assert!(config(twilio).is_ok());
    }
    #[test]
    fn an_empty_setting_of_notifications_counts_as_absent() {
        let senders = |settings: serde_json::Value| {
            let messages = Arc::new(file::FileSender::new("/tmp/sms.jsonl".into()));
            Senders::new(messages, &serde_json::from_value(settings).unwrap()).unwrap()
        };
        let sent = senders(serde_json::json!({
            "smtp_url": "smtp://mail.example.com", "email_from": "orders@example.com", "email_file": "", "push_file": ""
        }));
        assert!(sent.has_email() && !sent.has_push());
        let written = senders(serde_json::json!({
            "smtp_url": "", "email_file": "/tmp/emails.jsonl", "native_push_url": "", "push_file": "/tmp/pushes.jsonl"
        }));
        assert!(written.has_email() && written.has_push());
    }
}
