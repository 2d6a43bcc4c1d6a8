//! Sender for development: appends each message to a file as a line of JSON.

use std::path::PathBuf;

use async_trait::async_trait;
use tokio::io::AsyncWriteExt;

use super::{GiftMessage, GiftMessageSender, SendError, body};

#[derive(Debug)]
pub(super) struct FileSender {
    path: PathBuf,
    redeem_url: String,
}

impl FileSender {
    pub(super) const fn new(path: PathBuf, redeem_url: String) -> Self {
        Self { path, redeem_url }
    }

    /// Appends with a single write, so that lines of several processes do not mix.
    async fn append(&self, line: &str) -> std::io::Result<()> {
        let mut file = tokio::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path)
            .await?;
        file.write_all(line.as_bytes()).await?;
        file.flush().await
    }
}

#[async_trait]
impl GiftMessageSender for FileSender {
    async fn send(&self, id: &str, message: &GiftMessage) -> Result<(), SendError> {
        let line = serde_json::json!({
            "id": id,
            "channel": message.recipient.kind.as_str(),
            "to": message.recipient.address,
            "code": message.code.grouped(),
            "design": message.design,
            "body": body(message, &self.redeem_url),
        });
        let appended = self.append(&format!("{line}\n")).await;
        appended.map_err(|error| SendError(error.into()))
    }
}
