//! Senders of text messages.

mod file;
mod http;

use std::sync::Arc;

use async_trait::async_trait;

use crate::config::SenderConfig;

#[async_trait]
pub(crate) trait MessageSender: Send + Sync + std::fmt::Debug {
    /// Sends a message. `id` is the same for each attempt, so that a provider can detect repeats. After an error the
    /// message may have been sent or not.
    async fn send(&self, id: &str, phone: &str, body: &str) -> anyhow::Result<()>;
}

/// Creates the configured sender.
///
/// # Errors
/// Neither or both of `SMS_FILE` and `SMS_URL` are set.
pub(crate) fn from_config(config: SenderConfig) -> anyhow::Result<Arc<dyn MessageSender>> {
    match (config.sms_file, config.sms_url) {
        (Some(path), None) => Ok(Arc::new(file::FileSender::new(path))),
        (None, Some(url)) => Ok(Arc::new(http::HttpSender::new(url, config.sms_token)?)),
        _ => anyhow::bail!("bad configuration: SMS_FILE, SMS_URL: expected exactly one of them"),
    }
}
