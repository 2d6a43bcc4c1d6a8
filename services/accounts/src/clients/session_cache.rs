//! The gateways' session cache in Redis, where accounts writes the tombstones of ended sessions.

use kit::InternalError;
use kit::redis_connection::RedisConnection;
use redis::{SetExpiry, SetOptions, cmd};
use secrecy::SecretString;
use types::session_cache::{SESSION_TOMBSTONE, SESSION_TOMBSTONE_TTL, session_cache_key};

#[derive(Debug, Clone)]
pub struct SessionCache(RedisConnection);

impl SessionCache {
    /// # Errors
    /// The URL is invalid.
    pub fn new(url: &SecretString) -> anyhow::Result<Self> {
        Ok(Self(RedisConnection::new(url)?))
    }

    /// Overwrites the cached session of a token, so that every gateway rejects it.
    pub(crate) async fn write_tombstone(&self, token_hash: &[u8]) -> Result<(), InternalError> {
        let options = SetOptions::default().with_expiration(SetExpiry::EX(SESSION_TOMBSTONE_TTL.as_secs()));
        cmd("SET")
            .arg(session_cache_key(token_hash))
            .arg(SESSION_TOMBSTONE)
            .arg(options)
            .query_async::<()>(&mut self.0.clone())
            .await
            .map_err(|error| anyhow::Error::new(error).context("session cache"))?;
        Ok(())
    }
}
