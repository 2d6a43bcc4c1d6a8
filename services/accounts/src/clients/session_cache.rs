//! The gateways' session cache in Redis, where accounts writes the tombstones of ended sessions.

use kit::InternalError;
use kit::redis_connection::RedisConnection;
use redis::{SetExpiry, SetOptions};
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

    /// Overwrites the cached sessions of tokens, so that every gateway rejects them. Takes one round trip for all.
    pub(crate) async fn write_tombstones(&self, token_hashes: &[Vec<u8>]) -> Result<(), InternalError> {
        let expiry = SetExpiry::EX(SESSION_TOMBSTONE_TTL.as_secs());
        let mut commands = redis::pipe();
        for token_hash in token_hashes {
            commands
                .cmd("SET")
                .arg(session_cache_key(token_hash))
                .arg(SESSION_TOMBSTONE)
                .arg(SetOptions::default().with_expiration(expiry));
        }
        commands
            .query_async::<()>(&mut self.0.clone())
            .await
            .map_err(|error| anyhow::Error::new(error).context("session cache"))?;
        Ok(())
    }
}
