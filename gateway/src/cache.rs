//! Redis. Every use of it has a fallback, so an operation fails after half a second instead of delaying the request.

use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{ExistenceCheck, Script, SetExpiry, SetOptions, cmd};
use secrecy::{ExposeSecret, SecretString};

const TIMEOUT: Duration = Duration::from_millis(500);

/// Increments a counter and starts its window with the first increment. One script, so that no counter is left without
/// an expiry.
const INCREMENT: &str = "local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('TTL', KEYS[1])}";

#[derive(Debug, thiserror::Error)]
#[error("cache unavailable: {0}")]
pub(crate) struct CacheError(#[from] redis::RedisError);

/// Reconnects by itself.
#[derive(Clone)]
pub(crate) struct Cache(ConnectionManager);

impl std::fmt::Debug for Cache {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Cache")
    }
}

/// A counter that is reset at the end of its window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WindowCount {
    pub(crate) count: u32,
    pub(crate) seconds_left: u64,
}

impl Cache {
    /// Creates a cache that connects with its first operation.
    pub(crate) fn new(url: &SecretString) -> anyhow::Result<Self> {
        let client = redis::Client::open(url.expose_secret()).map_err(|error| {
            anyhow::anyhow!("bad configuration: REDIS_URL: expected redis://host:port: {error}")
        })?;
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(TIMEOUT))
            .set_connection_timeout(Some(TIMEOUT))
            // The fallback is faster than a retry.
            .set_number_of_retries(0);
        Ok(Self(ConnectionManager::new_lazy_with_config(client, config)?))
    }

    pub(crate) async fn get(&self, key: &str) -> Result<Option<String>, CacheError> {
        Ok(cmd("GET").arg(key).query_async(&mut self.0.clone()).await?)
    }

    pub(crate) async fn set_if_absent(&self, key: &str, value: &str, seconds: u64) -> Result<(), CacheError> {
        let options = SetOptions::default()
            .conditional_set(ExistenceCheck::NX)
            .with_expiration(SetExpiry::EX(seconds));
        cmd("SET")
            .arg(key)
            .arg(value)
            .arg(options)
            .query_async::<Option<String>>(&mut self.0.clone())
            .await?;
        Ok(())
    }

    pub(crate) async fn set(&self, key: &str, value: &str, seconds: u64) -> Result<(), CacheError> {
        let options = SetOptions::default().with_expiration(SetExpiry::EX(seconds));
        cmd("SET")
            .arg(key)
            .arg(value)
            .arg(options)
            .query_async::<()>(&mut self.0.clone())
            .await?;
        Ok(())
    }

    /// Increments a counter whose window of `seconds` starts with the first increment.
    pub(crate) async fn increment(&self, key: &str, seconds: u64) -> Result<WindowCount, CacheError> {
        let (count, seconds_left) = Script::new(INCREMENT)
            .key(key)
            .arg(seconds)
            .invoke_async(&mut self.0.clone())
            .await?;
        Ok(WindowCount { count, seconds_left })
    }
}
