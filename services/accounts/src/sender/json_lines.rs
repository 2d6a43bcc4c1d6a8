//! A file of JSON lines, for development.

use std::path::PathBuf;

use serde_json::Value;
use tokio::io::AsyncWriteExt;

use super::SendError;

#[derive(Debug, Clone)]
pub(super) struct JsonLines(PathBuf);

impl JsonLines {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self(path)
    }

    pub(super) async fn append(&self, line: &Value) -> Result<(), SendError> {
        let appended = self.write(&format!("{line}\n")).await;
        appended.map_err(|error| SendError::Transient(error.into()))
    }

    /// Appends with a single write, so that lines of several processes do not mix.
    async fn write(&self, line: &str) -> std::io::Result<()> {
        let mut file = tokio::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.0)
            .await?;
        file.write_all(line.as_bytes()).await?;
        file.flush().await
    }
}
