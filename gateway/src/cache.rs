//! Redis, which everything can do without: each question has half a second, and "away" is an answer.

use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{ExistenceCheck, Script, SetExpiry, SetOptions, cmd};
use secrecy::{ExposeSecret, SecretString};

/// How long a question may take before Redis counts as away.
const PATIENCE: Duration = Duration::from_millis(500);

/// Counts one more in a window and says how many that makes and how long the window still lasts. One step, so that no
/// counter is left without an end.
const COUNT: &str = "local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('TTL', KEYS[1])}";

/// Redis did not answer in time, or not as it should.
#[derive(Debug, thiserror::Error)]
#[error("cache is away: {0}")]
pub struct Away(#[from] redis::RedisError);

/// A connection that comes back by itself.
#[derive(Clone)]
pub struct Cache(ConnectionManager);

impl std::fmt::Debug for Cache {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Cache")
    }
}

impl Cache {
    /// A cache at an address, which need not be there yet.
    ///
    /// # Errors
    /// No Redis address.
    pub fn at(url: &SecretString) -> anyhow::Result<Self> {
        let client = redis::Client::open(url.expose_secret()).map_err(|error| {
            anyhow::anyhow!("bad configuration: REDIS_URL: expected redis://host:port: {error}")
        })?;
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(PATIENCE))
            .set_connection_timeout(Some(PATIENCE))
            // A question is asked once: whoever asks has something else to do instead.
            .set_number_of_retries(0);
        Ok(Self(ConnectionManager::new_lazy_with_config(client, config)?))
    }

    /// What stands under a key.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn get(&self, key: &str) -> Result<Option<String>, Away> {
        Ok(cmd("GET").arg(key).query_async(&mut self.0.clone()).await?)
    }

    /// Writes where nothing stands yet.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn put_if_absent(&self, key: &str, value: &str, seconds: u64) -> Result<(), Away> {
        let only = SetOptions::default()
            .conditional_set(ExistenceCheck::NX)
            .with_expiration(SetExpiry::EX(seconds));
        cmd("SET")
            .arg(key)
            .arg(value)
            .arg(only)
            .query_async::<Option<String>>(&mut self.0.clone())
            .await?;
        Ok(())
    }

    /// Writes over whatever stands there.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn put(&self, key: &str, value: &str, seconds: u64) -> Result<(), Away> {
        let options = SetOptions::default().with_expiration(SetExpiry::EX(seconds));
        cmd("SET")
            .arg(key)
            .arg(value)
            .arg(options)
            .query_async::<()>(&mut self.0.clone())
            .await?;
        Ok(())
    }

    /// One more in a window of so many seconds: how many that makes, and how many seconds are left of it.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn count(&self, key: &str, seconds: u64) -> Result<(u32, u64), Away> {
        Ok(Script::new(COUNT)
            .key(key)
            .arg(seconds)
            .invoke_async(&mut self.0.clone())
            .await?)
    }
}
