//! The gateways' session cache in Redis, where accounts writes the tombstones of ended sessions.

use std::time::Duration;

use kit::InternalError;
use redis::{
    IntoConnectionInfo, SetExpiry, SetOptions,
    aio::{ConnectionManager, ConnectionManagerConfig},
    cmd,
    io::tcp::TcpSettings,
};
use secrecy::{ExposeSecret, SecretString};
use types::session_cache::{SESSION_TOMBSTONE, SESSION_TOMBSTONE_TTL, session_cache_key};

const TIMEOUT: Duration = Duration::from_millis(500);

/// Reconnects by itself.
#[derive(Clone)]
pub struct SessionCache(ConnectionManager);

impl std::fmt::Debug for SessionCache {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("SessionCache")
    }
}

impl SessionCache {
    /// Creates a cache that connects with its first operation.
    ///
    /// # Errors
    /// The URL is invalid.
    pub fn new(url: &SecretString) -> anyhow::Result<Self> {
        let invalid = |error: redis::RedisError| {
            anyhow::anyhow!("bad configuration: REDIS_URL: expected redis://host:port: {error}")
        };
        let address = url.expose_secret().into_connection_info().map_err(invalid)?;
        // Off by default: a command would wait for the acknowledgment of the previous one.
        let tcp = TcpSettings::default().set_nodelay(true);
        let client = redis::Client::open(address.set_tcp_settings(tcp)).map_err(invalid)?;
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(TIMEOUT))
            .set_connection_timeout(Some(TIMEOUT))
            // The worker retries.
            .set_number_of_retries(0);
        Ok(Self(ConnectionManager::new_lazy_with_config(client, config)?))
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
