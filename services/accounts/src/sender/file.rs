//! Sender for development: appends each message to a file as a line of JSON.

use std::path::PathBuf;

use async_trait::async_trait;
use tokio::io::AsyncWriteExt;
use types::{Clock, SystemClock, limits::SIGN_IN_CODE_DIGITS};

use super::MessageSender;

#[derive(Debug)]
pub(super) struct FileSender(PathBuf);

impl FileSender {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self(path)
    }
}

#[async_trait]
impl MessageSender for FileSender {
    async fn send(&self, id: &str, phone: &str, body: &str) -> anyhow::Result<()> {
        let code: String = body
            .chars()
            .filter(char::is_ascii_digit)
            .take(SIGN_IN_CODE_DIGITS)
            .collect();
        let at = SystemClock.now().to_string();
        let line = serde_json::json!({ "id": id, "phone": phone, "code": code, "body": body, "at": at });
        let mut file = tokio::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.0)
            .await?;
        // A single write, so that lines of several processes do not mix.
        file.write_all(format!("{line}\n").as_bytes()).await?;
        file.flush().await?;
        Ok(())
    }
}
