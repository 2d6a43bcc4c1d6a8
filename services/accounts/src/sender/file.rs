//! Sender for development: appends each message to a file as a line of JSON.

use std::path::PathBuf;

use async_trait::async_trait;
use tokio::io::AsyncWriteExt;
use types::{Clock, SystemClock, limits::SIGN_IN_CODE_DIGITS};

use super::{MessageSender, SendError};

#[derive(Debug)]
pub(super) struct FileSender(PathBuf);

impl FileSender {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Appends with a single write, so that lines of several processes do not mix.
    async fn append(&self, line: &str) -> std::io::Result<()> {
        let mut file = tokio::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.0)
            .await?;
        file.write_all(line.as_bytes()).await?;
        file.flush().await
    }
}

#[async_trait]
impl MessageSender for FileSender {
    async fn send(&self, id: &str, phone: &str, body: &str) -> Result<(), SendError> {
        let code: String = body
            .chars()
            .filter(char::is_ascii_digit)
            .take(SIGN_IN_CODE_DIGITS)
            .collect();
        let at = SystemClock.now().to_string();
        let line = serde_json::json!({ "id": id, "phone": phone, "code": code, "body": body, "at": at });
        let appended = self.append(&format!("{line}\n")).await;
        appended.map_err(|error| SendError::Transient(error.into()))
    }
}
