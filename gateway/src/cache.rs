//! Redis. Each caller handles its failure, so an operation fails after half a second instead of delaying the request, or
//! after one second if it has to connect.

use std::time::Duration;

use kit::redis_connection::RedisConnection;
use redis::{ExistenceCheck, Script, SetExpiry, SetOptions, cmd};
use secrecy::SecretString;
use uuid::Uuid;

/// Counts a call unless the limit of the window that ends now is reached. Returns 0, or the milliseconds until the oldest
/// counted call leaves the window. Rejected calls are not counted, so the size of a set never exceeds the limit.
const COUNT_IN_WINDOW: &str = "local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = tonumber(ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return math.max(1, (tonumber(oldest[2]) or now) + window - now)
end
redis.call('ZADD', KEYS[1], now, ARGV[3])
redis.call('PEXPIRE', KEYS[1], window)
return 0";

#[derive(Debug, thiserror::Error)]
#[error("cache unavailable: {0}")]
pub(crate) struct CacheError(#[from] redis::RedisError);

#[derive(Debug, Clone)]
pub(crate) struct Cache(RedisConnection);

/// A call that a window counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CountedCall {
    key: String,
    member: String,
}

/// Result of counting a call in a sliding window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WindowResult {
    Counted(CountedCall),
    /// The limit is reached until the oldest counted call leaves the window.
    LimitReached {
        retry_after: Duration,
    },
}

impl Cache {
    /// Creates a cache that connects with its first operation.
    pub(crate) fn new(url: &SecretString) -> anyhow::Result<Self> {
        Ok(Self(RedisConnection::new(url)?))
    }

    pub(crate) async fn get(&self, key: &str) -> Result<Option<String>, CacheError> {
        Ok(cmd("GET").arg(key).query_async(&mut self.0.clone()).await?)
    }

    /// Returns the values of two keys in one round trip.
    pub(crate) async fn get_two(&self, keys: [&str; 2]) -> Result<[Option<String>; 2], CacheError> {
        let values: (Option<String>, Option<String>) =
            cmd("MGET").arg(&keys).query_async(&mut self.0.clone()).await?;
        Ok(values.into())
    }

    pub(crate) async fn set_if_absent(
        &self,
        key: &str,
        value: &str,
        ttl: Duration,
    ) -> Result<(), CacheError> {
        let options = SetOptions::default()
            .conditional_set(ExistenceCheck::NX)
            .with_expiration(SetExpiry::EX(ttl.as_secs()));
        cmd("SET")
            .arg(key)
            .arg(value)
            .arg(options)
            .query_async::<Option<String>>(&mut self.0.clone())
            .await?;
        Ok(())
    }

    pub(crate) async fn set(&self, key: &str, value: &str, ttl: Duration) -> Result<(), CacheError> {
        let options = SetOptions::default().with_expiration(SetExpiry::EX(ttl.as_secs()));
        cmd("SET")
            .arg(key)
            .arg(value)
            .arg(options)
            .query_async::<()>(&mut self.0.clone())
            .await?;
        Ok(())
    }

    /// Counts a call unless `max` calls were counted in the last `window`. Uses the clock of Redis, which all gateways
    /// share.
    pub(crate) async fn count_in_window(
        &self,
        key: &str,
        window: Duration,
        max: u32,
    ) -> Result<WindowResult, CacheError> {
        let member = Uuid::new_v4().to_string();
        let milliseconds: u64 = Script::new(COUNT_IN_WINDOW)
            .key(key)
            .arg(u64::try_from(window.as_millis()).unwrap_or(u64::MAX))
            .arg(max)
            .arg(&member)
            .invoke_async(&mut self.0.clone())
            .await?;
        Ok(match milliseconds {
            0 => WindowResult::Counted(CountedCall {
                key: key.to_owned(),
                member,
            }),
            _ => WindowResult::LimitReached {
                retry_after: Duration::from_millis(milliseconds),
            },
        })
    }

    /// Takes back a call that a window counted.
    pub(crate) async fn uncount(&self, call: &CountedCall) -> Result<(), CacheError> {
        cmd("ZREM")
            .arg(&call.key)
            .arg(&call.member)
            .query_async::<()>(&mut self.0.clone())
            .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Duration = Duration::from_mins(1);

    #[tokio::test]
    async fn a_window_slides_over_the_counted_calls() {
        let url = std::env::var("TEST_REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1:7279".to_owned());
        let cache = Cache::new(&SecretString::from(url)).unwrap();
        let key = format!("test:{}", Uuid::new_v4());
        let (seconds, _): (u64, u64) = cmd("TIME").query_async(&mut cache.0.clone()).await.unwrap();
        // One call has left the window, two have not.
        for seconds_ago in [61, 50, 10] {
            cmd("ZADD")
                .arg(&key)
                .arg((seconds - seconds_ago) * 1000)
                .arg(seconds_ago)
                .query_async::<()>(&mut cache.0.clone())
                .await
                .unwrap();
        }
        let count = async || cache.count_in_window(&key, WINDOW, 3).await.unwrap();
        assert!(matches!(count().await, WindowResult::Counted(_)));
        let WindowResult::LimitReached { retry_after } = count().await else {
            panic!("counted beyond the limit");
        };
        assert!(retry_after <= Duration::from_secs(10), "{retry_after:?}");
        let ttl: i64 = cmd("PTTL")
            .arg(&key)
            .query_async(&mut cache.0.clone())
            .await
            .unwrap();
        assert!(ttl > 0, "{ttl}");
    }
}
