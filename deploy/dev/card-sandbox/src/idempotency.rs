//! Idempotency keys: a repeated request gets the first response, errors included, for a day.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::api_error::ApiError;
use crate::objects::StoredResponse;
use crate::state::State;

/// How long a response is stored.
pub const RETENTION_MS: i64 = 24 * 60 * 60 * 1000;

/// An idempotency key with the request that it identifies.
#[derive(Debug, Clone)]
pub struct KeyedRequest {
    pub key: String,
    endpoint: String,
    /// Digest of the parameters.
    parameters: String,
}

impl KeyedRequest {
    pub fn new(key: &str, endpoint: String, canonical_parameters: &str) -> Self {
        Self {
            key: key.to_owned(),
            endpoint,
            parameters: hex::encode(Sha256::digest(canonical_parameters)),
        }
    }

    /// Returns the response stored under this key, if there is one.
    ///
    /// # Errors
    /// If the key was first used for another endpoint or with other parameters.
    pub fn stored_response(&self, state: &State, now_ms: i64) -> Result<Option<StoredResponse>, ApiError> {
        let Some(response) = state
            .stored_responses
            .get(&self.key)
            .filter(|response| now_ms - response.at_ms < RETENTION_MS)
        else {
            return Ok(None);
        };
        if response.endpoint != self.endpoint {
            return Err(ApiError::key_mismatch(format!(
                "Keys for idempotent requests can only be used for the same endpoint they were first used for \
                 ('{}' vs '{}'). Try using a key other than '{}' if you meant to execute a different request.",
                self.endpoint, response.endpoint, self.key
            )));
        }
        if response.parameters != self.parameters {
            return Err(ApiError::key_mismatch(format!(
                "Keys for idempotent requests can only be used with the same parameters they were first used with. \
                 Try using a key other than '{}' if you meant to execute a different request.",
                self.key
            )));
        }
        Ok(Some(response.clone()))
    }

    /// Returns the response to store under this key.
    pub fn into_stored_response(
        self,
        status: StatusCode,
        body: Value,
        request_id: String,
        at_ms: i64,
    ) -> StoredResponse {
        StoredResponse {
            key: self.key,
            endpoint: self.endpoint,
            parameters: self.parameters,
            status: status.as_u16(),
            body,
            request: request_id,
            at_ms,
        }
    }
}

/// The idempotency keys of the requests in progress.
#[derive(Debug, Clone, Default)]
pub struct KeysInProgress(Arc<Mutex<HashSet<String>>>);

impl KeysInProgress {
    /// Marks a key as in progress until the guard is dropped.
    ///
    /// # Errors
    /// If another request with this key is in progress.
    pub fn acquire(&self, key: &str) -> Result<KeyGuard, ApiError> {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !keys.insert(key.to_owned()) {
            return Err(ApiError::key_in_use(key));
        }
        Ok(KeyGuard {
            keys: self.clone(),
            key: key.to_owned(),
        })
    }
}

#[derive(Debug)]
pub struct KeyGuard {
    keys: KeysInProgress,
    key: String,
}

impl Drop for KeyGuard {
    fn drop(&mut self) {
        self.keys
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&self.key);
    }
}
