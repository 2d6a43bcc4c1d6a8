//! Sender of emails: over SMTP, or to a file in development.

use std::path::PathBuf;

use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{
        Mailbox,
        header::{Header, HeaderName, HeaderValue},
    },
};
use secrecy::{ExposeSecret, SecretString};

use super::{SEND_TIMEOUT, SendError, json_lines::JsonLines};

/// An email to one address.
#[derive(Debug)]
pub(crate) struct Email {
    /// The same for each attempt.
    pub(crate) id: String,
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) text: String,
    /// Address that stops emails with one POST (RFC 8058). `None` if the consumer requested this email.
    pub(crate) stop_url: Option<String>,
}

#[derive(Debug)]
pub(crate) enum EmailSender {
    Smtp(Box<SmtpSender>),
    File(JsonLinesFile),
}

#[derive(Debug)]
pub(crate) struct JsonLinesFile(JsonLines);

pub(crate) struct SmtpSender {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl std::fmt::Debug for SmtpSender {
    /// The URL contains the password.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("SmtpSender")
            .field("from", &self.from)
            .finish_non_exhaustive()
    }
}

impl EmailSender {
    pub(super) const fn to_file(path: PathBuf) -> Self {
        Self::File(JsonLinesFile(JsonLines::new(path)))
    }

    /// # Errors
    /// The URL or the sender's address is invalid.
    pub(super) fn over_smtp(url: &SecretString, from: &str) -> anyhow::Result<Self> {
        // The error of the URL could contain the password.
        let transport =
            AsyncSmtpTransport::<Tokio1Executor>::from_url(url.expose_secret()).map_err(|_| {
                anyhow::anyhow!("bad configuration: SMTP_URL: expected smtps://user:password@host")
            })?;
        let from = from.parse().map_err(|_| {
            anyhow::anyhow!("bad configuration: EMAIL_FROM: expected Order Ahead <orders@example.com>")
        })?;
        let transport = transport.timeout(Some(SEND_TIMEOUT)).build();
        Ok(Self::Smtp(Box::new(SmtpSender { transport, from })))
    }

    pub(crate) async fn send(&self, email: &Email) -> Result<(), SendError> {
        match self {
            Self::Smtp(smtp) => smtp.send(email).await,
            Self::File(JsonLinesFile(file)) => {
                let Email {
                    id,
                    to,
                    subject,
                    text,
                    stop_url,
                } = email;
                let line = serde_json::json!({
                    "id": id, "to": to, "subject": subject, "text": text, "stopUrl": stop_url,
                });
                file.append(&line).await
            }
        }
    }
}

impl SmtpSender {
    async fn send(&self, email: &Email) -> Result<(), SendError> {
        let message = self.message(email).map_err(SendError::Permanent)?;
        // Without a connection, nothing was sent.
        match self.transport.test_connection().await {
            Ok(true) => {}
            Ok(false) => {
                return Err(SendError::Transient(anyhow::anyhow!(
                    "the mail server is not ready"
                )));
            }
            Err(error) => return Err(SendError::Transient(without_address(&error))),
        }
        let sent = self.transport.send(message).await;
        sent.map(drop).map_err(|error| {
            let cause = without_address(&error);
            if error.is_permanent() {
                SendError::Permanent(cause)
            } else if error.is_transient() {
                SendError::Transient(cause)
            } else {
                SendError::Unclear(cause)
            }
        })
    }

    fn message(&self, email: &Email) -> anyhow::Result<Message> {
        let to: Mailbox = email
            .to
            .parse()
            .map_err(|_| anyhow::anyhow!("the address is invalid"))?;
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(&email.subject)
            .message_id(Some(format!("<{}@{}>", email.id, self.from.email.domain())));
        if let Some(stop_url) = &email.stop_url {
            message = message
                .header(ListUnsubscribe(format!("<{stop_url}>")))
                .header(ListUnsubscribePost);
        }
        Ok(message.body(email.text.clone())?)
    }
}

/// Responses of mail servers often contain the recipient's address.
fn without_address(error: &lettre::transport::smtp::Error) -> anyhow::Error {
    match error.status() {
        Some(status) => anyhow::anyhow!("the mail server responded {status}"),
        None if error.is_timeout() => anyhow::anyhow!("the mail server did not respond"),
        None => anyhow::anyhow!("connection to the mail server failed"),
    }
}

#[derive(Clone)]
struct ListUnsubscribe(String);

impl Header for ListUnsubscribe {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe")
    }

    fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self(text.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), self.0.clone())
    }
}

#[derive(Clone)]
struct ListUnsubscribePost;

impl Header for ListUnsubscribePost {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe-Post")
    }

    fn parse(_text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "List-Unsubscribe=One-Click".to_owned())
    }
}
