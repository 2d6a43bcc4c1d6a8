//! Idempotency keys: the same key gives the same answer, errors included, for a day.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::books::Books;
use crate::refusal::Refusal;

/// How long an answer is kept.
pub const KEPT_FOR_MS: i64 = 24 * 60 * 60 * 1000;

/// The answer that was first given under a key.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Answer {
    pub key: String,
    /// Method and path, for the message when the key comes back elsewhere.
    pub endpoint: String,
    /// Digest of the parameters.
    pub parameters: String,
    pub status: u16,
    pub body: Value,
    /// The request that it was first given to.
    pub request: String,
    pub at_ms: i64,
}

impl Answer {
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// What a key stands for: where it was used and with what.
#[derive(Debug, Clone)]
pub struct Use {
    pub key: String,
    pub endpoint: String,
    pub parameters: String,
}

impl Use {
    pub fn new(key: &str, endpoint: String, canonical: &str) -> Self {
        let parameters = hex::encode(Sha256::digest(canonical));
        Self {
            key: key.to_owned(),
            endpoint,
            parameters,
        }
    }

    /// The answer given before under this key, if there was one.
    ///
    /// # Errors
    /// When the key was first used for another endpoint or with other parameters.
    pub fn earlier(&self, books: &Books, now_ms: i64) -> Result<Option<Answer>, Refusal> {
        let Some(answer) = books
            .answers
            .get(&self.key)
            .filter(|answer| now_ms - answer.at_ms < KEPT_FOR_MS)
        else {
            return Ok(None);
        };
        if answer.endpoint != self.endpoint {
            return Err(Refusal::key_mismatch(format!(
                "Keys for idempotent requests can only be used for the same endpoint they were first used for \
                 ('{}' vs '{}'). Try using a key other than '{}' if you meant to execute a different request.",
                self.endpoint, answer.endpoint, self.key
            )));
        }
        if answer.parameters != self.parameters {
            return Err(Refusal::key_mismatch(format!(
                "Keys for idempotent requests can only be used with the same parameters they were first used with. \
                 Try using a key other than '{}' if you meant to execute a different request.",
                self.key
            )));
        }
        Ok(Some(answer.clone()))
    }

    /// The answer to keep under this key.
    pub fn answered(self, status: StatusCode, body: Value, request: String, at_ms: i64) -> Answer {
        let Self {
            key,
            endpoint,
            parameters,
        } = self;
        Answer {
            key,
            endpoint,
            parameters,
            status: status.as_u16(),
            body,
            request,
            at_ms,
        }
    }
}

/// The keys of the requests that are running.
#[derive(Debug, Clone, Default)]
pub struct Running(Arc<Mutex<HashSet<String>>>);

impl Running {
    /// Marks a key as in use until the guard is dropped.
    ///
    /// # Errors
    /// When another request with this key is running.
    pub fn claim(&self, key: &str) -> Result<Claim, Refusal> {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !keys.insert(key.to_owned()) {
            return Err(Refusal::key_in_use(key));
        }
        Ok(Claim {
            running: self.clone(),
            key: key.to_owned(),
        })
    }
}

/// Holds a key while its request runs.
#[derive(Debug)]
pub struct Claim {
    running: Running,
    key: String,
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.running
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&self.key);
    }
}
