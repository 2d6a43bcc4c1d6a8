//! Sender for development: appends each message to a file as a line of JSON.

use std::path::PathBuf;

use async_trait::async_trait;
use types::{Clock, SystemClock, limits::SIGN_IN_CODE_DIGITS};

use super::{MessageSender, SendError, json_lines::JsonLines};

#[derive(Debug)]
pub(super) struct FileSender(JsonLines);

impl FileSender {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self(JsonLines::new(path))
    }
}

#[async_trait]
impl MessageSender for FileSender {
    async fn send(&self, id: &str, phone: &str, body: &str) -> Result<(), SendError> {
        let at = SystemClock.now().to_string();
        let mut line = serde_json::json!({ "id": id, "phone": phone, "body": body, "at": at });
        if let Some(code) = sign_in_code(body) {
            line["code"] = code.into();
        }
        self.0.append(&line).await
    }
}

/// Returns the code that a message starts with.
fn sign_in_code(body: &str) -> Option<&str> {
    body.get(..SIGN_IN_CODE_DIGITS)
        .filter(|code| code.bytes().all(|byte| byte.is_ascii_digit()))
}
