//! How messages leave: over a provider's HTTP API, or in development into a file.

mod file;
mod http;

use std::sync::Arc;

use async_trait::async_trait;

use crate::config::Sending;

/// Sends text messages. A real boundary: what is beyond it is not ours.
#[async_trait]
pub trait MessageSender: Send + Sync + std::fmt::Debug {
    /// Sends a message. The id is the same for each try, so that a provider can tell repeats.
    ///
    /// # Errors
    /// It may not have been sent; trying again is right.
    async fn send(&self, id: &str, phone: &str, body: &str) -> anyhow::Result<()>;
}

/// The sender that the settings name.
///
/// # Errors
/// None or both are named.
pub fn from_config(config: Sending) -> anyhow::Result<Arc<dyn MessageSender>> {
    match (config.sms_file, config.sms_url) {
        (Some(path), None) => Ok(Arc::new(file::FileSender::new(path))),
        (None, Some(url)) => Ok(Arc::new(http::HttpSender::new(url, config.sms_token)?)),
        _ => anyhow::bail!("bad configuration: SMS_FILE, SMS_URL: expected exactly one of them"),
    }
}
