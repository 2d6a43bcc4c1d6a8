//! Senders of messages with gift cards.

mod file;
mod http;

use std::{fmt::Write, sync::Arc, time::Duration};

use async_trait::async_trait;
use types::Money;

use crate::{
    config::SenderConfig,
    domain::{recipient::Recipient, secret::GiftCode},
};

/// Timeout of one attempt to send.
pub(crate) const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// A message that was not sent. The text contains neither recipient nor code.
#[derive(Debug, thiserror::Error)]
#[error("{0:#}")]
pub struct SendError(pub anyhow::Error);

/// A gift card for its recipient.
#[derive(Debug, Clone)]
pub struct GiftMessage {
    pub recipient: Recipient,
    pub amount: Money,
    pub code: GiftCode,
    /// Written by the buyer; may be empty.
    pub text: String,
    /// Name of the drawing on the card.
    pub design: String,
}

#[async_trait]
pub trait GiftMessageSender: Send + Sync + std::fmt::Debug {
    /// Sends a message. `id` is the same for each attempt, so that a provider can detect repeats.
    async fn send(&self, id: &str, message: &GiftMessage) -> Result<(), SendError>;
}

/// Creates the configured sender, or `None` if none is configured.
///
/// # Errors
/// Both `GIFT_MESSAGE_FILE` and `GIFT_MESSAGE_URL` are set.
pub(crate) fn from_config(config: SenderConfig) -> anyhow::Result<Option<Arc<dyn GiftMessageSender>>> {
    // Compose files pass unset variables as empty strings.
    let url = config.gift_message_url;
    let file = config
        .gift_message_file
        .filter(|path| !path.as_os_str().is_empty());
    let redeem_url = config.gift_redeem_url;
    match (file, url) {
        (None, None) => Ok(None),
        (Some(path), None) => Ok(Some(Arc::new(file::FileSender::new(path, redeem_url)))),
        (None, Some(url)) => {
            let sender = http::HttpSender::new(url, config.gift_message_token, redeem_url)?;
            Ok(Some(Arc::new(sender)))
        }
        (Some(_), Some(_)) => {
            anyhow::bail!("bad configuration: GIFT_MESSAGE_FILE, GIFT_MESSAGE_URL: expected at most one")
        }
    }
}

/// Returns the text for the recipient.
fn body(message: &GiftMessage, redeem_url: &str) -> String {
    let greeting = match message.recipient.name.as_str() {
        "" => String::new(),
        name => format!("Hi {name}! "),
    };
    let mut body = format!("{greeting}You got a {} coffee gift card.", message.amount);
    if !message.text.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(body, " \u{201c}{}\u{201d}", message.text);
    }
    let _ = write!(
        body,
        " Redeem it at {redeem_url} with the code {}.",
        message.code.grouped()
    );
    body
}
