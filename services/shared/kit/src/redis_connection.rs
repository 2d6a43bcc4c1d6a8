//! The connection to Redis. It is replaced after each failure.
//!
//! [`redis::aio::ConnectionManager`] replaces it only if the connection is closed: it continues to use a connection that no
//! longer responds, and fails forever after an invalid response to the commands that set up a connection.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::io::tcp::TcpSettings;
use redis::{
    AsyncConnectionConfig, Client, Cmd, IntoConnectionInfo, Pipeline, RedisFuture, RedisResult, ServerError,
    ServerErrorKind, Value,
};
use secrecy::{ExposeSecret, SecretString};

/// Time to connect, and time for each response.
const TIMEOUT: Duration = Duration::from_millis(500);

/// Concurrent operations wait for the same attempt to connect.
type Connecting = Shared<BoxFuture<'static, RedisResult<MultiplexedConnection>>>;

/// Connects with the first operation. An operation fails after half a second, or after one second if it has to connect.
#[derive(Clone)]
pub struct RedisConnection {
    client: Client,
    current: Arc<Mutex<Connecting>>,
}

impl std::fmt::Debug for RedisConnection {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("RedisConnection")
    }
}

impl RedisConnection {
    /// # Errors
    /// The URL is invalid. The message names the setting `REDIS_URL`.
    pub fn new(url: &SecretString) -> anyhow::Result<Self> {
        let invalid =
            |error| anyhow::anyhow!("bad configuration: REDIS_URL: expected redis://host:port: {error}");
        let address = url.expose_secret().into_connection_info().map_err(invalid)?;
        // Off by default: a command would wait for the acknowledgment of the previous one.
        let tcp = TcpSettings::default().set_nodelay(true);
        let client = Client::open(address.set_tcp_settings(tcp)).map_err(invalid)?;
        let current = Arc::new(Mutex::new(connect(&client)));
        Ok(Self { client, current })
    }

    fn current(&self) -> MutexGuard<'_, Connecting> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn send<T: Response, F: Future<Output = RedisResult<T>>>(
        &self,
        command: impl FnOnce(MultiplexedConnection) -> F,
    ) -> RedisResult<T> {
        let used = self.current().clone();
        let response = match used.clone().await {
            Ok(connection) => command(connection).await,
            Err(error) => Err(error),
        };
        if response.as_ref().map_or(true, Response::is_unexpected) {
            self.replace(&used);
        }
        response
    }

    /// Replaces the connection unless a concurrent operation has done so. Operations in progress continue to use the
    /// previous one.
    fn replace(&self, used: &Connecting) {
        let mut current = self.current();
        if current.ptr_eq(used) {
            *current = connect(&self.client);
            // The attempt must not stop when the requests that wait for it are canceled.
            tokio::spawn(current.clone());
        }
    }
}

fn connect(client: &Client) -> Connecting {
    let client = client.clone();
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(TIMEOUT))
        .set_response_timeout(Some(TIMEOUT));
    async move { client.get_multiplexed_async_connection_with_config(&config).await }
        .boxed()
        .shared()
}

trait Response {
    /// Returns whether the response contains an error that an intact connection to a healthy server does not return.
    /// Later responses may belong to other commands, or the server may no longer be the primary.
    fn is_unexpected(&self) -> bool;
}

impl Response for Value {
    fn is_unexpected(&self) -> bool {
        matches!(self, Self::ServerError(error) if !is_unknown_script(error))
    }
}

impl Response for Vec<Value> {
    fn is_unexpected(&self) -> bool {
        self.iter().any(Response::is_unexpected)
    }
}

/// The first call of a script after a restart of the server.
fn is_unknown_script(error: &ServerError) -> bool {
    error.kind() == Some(ServerErrorKind::NoScript)
}

impl ConnectionLike for RedisConnection {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        self.send(async |mut connection| connection.send_packed_command(command).await)
            .boxed()
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        self.send(async move |mut connection| connection.send_packed_commands(pipeline, offset, count).await)
            .boxed()
    }

    fn get_db(&self) -> i64 {
        self.client.get_connection_info().redis_settings().db()
    }
}
