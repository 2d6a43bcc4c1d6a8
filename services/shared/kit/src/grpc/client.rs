//! Another of our processes, as a client sees it. Connects when first needed and again after a loss, so that processes
//! start in any order.

use std::time::Duration;

use tonic::{
    Request, Status,
    metadata::AsciiMetadataValue,
    service::{Interceptor, interceptor::InterceptedService},
    transport::Endpoint,
};

use super::{connection::Connection, correlation, deadline};
use crate::{
    caller::{Caller, CallerKey},
    telemetry,
};

/// What a generated client is made of: `StoresClient::new(peer.as_service())`.
pub type ClientChannel = InterceptedService<Connection, ClientInterceptor>;

/// A process that we call.
#[derive(Debug, Clone)]
pub struct GrpcClient {
    connection: Connection,
    key: CallerKey,
    own: Caller,
}

impl GrpcClient {
    /// A peer at an address, called by the process `own_name`.
    ///
    /// # Errors
    /// An address that is no URI.
    pub fn new(own_name: &str, address: &str, key: CallerKey) -> anyhow::Result<Self> {
        let endpoint = Endpoint::from_shared(address.to_owned())
            .map_err(|error| {
                anyhow::anyhow!(
                    "bad configuration: {address}: expected an address like http://host:port: {error}"
                )
            })?
            .connect_timeout(Duration::from_secs(2))
            // tonic sets none of these by itself: without them a call to a dead peer hangs.
            .timeout(Duration::from_secs(30))
            .http2_keep_alive_interval(Duration::from_secs(15))
            .keep_alive_timeout(Duration::from_secs(5))
            .keep_alive_while_idle(true)
            .tcp_nodelay(true);
        Ok(Self {
            connection: Connection::new(endpoint.connect_lazy(), address),
            key,
            own: Caller::Service {
                name: own_name.to_owned(),
            },
        })
    }

    /// The connection, for calls by this process itself.
    #[must_use]
    pub fn as_service(&self) -> ClientChannel {
        self.as_caller(self.own.clone())
    }

    /// The connection, for calls on somebody's behalf.
    #[must_use]
    pub fn as_caller(&self, caller: Caller) -> ClientChannel {
        InterceptedService::new(
            self.connection.clone(),
            ClientInterceptor {
                key: self.key.clone(),
                caller,
                correlation_id: None,
            },
        )
    }

    /// The same, where the request's correlation id is not the one of a call that is being served.
    #[must_use]
    pub fn as_caller_correlated(&self, caller: Caller, correlation_id: &str) -> ClientChannel {
        let correlation_id = correlation_id.parse().ok();
        InterceptedService::new(
            self.connection.clone(),
            ClientInterceptor {
                key: self.key.clone(),
                caller,
                correlation_id,
            },
        )
    }
}

/// Attaches to each call who calls, by when it must be answered, and the trace that it belongs to.
#[derive(Debug, Clone)]
pub struct ClientInterceptor {
    key: CallerKey,
    caller: Caller,
    correlation_id: Option<AsciiMetadataValue>,
}

impl Interceptor for ClientInterceptor {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        // A call that says how long it may take is held to the caller's deadline only.
        let asked = request
            .metadata()
            .get("grpc-timeout")
            .and_then(|value| deadline::parse(value.to_str().ok()?));
        let left = match asked {
            Some(time) => deadline::left_to_answer().map_or(time, |left| left.min(time)),
            None => deadline::remaining(),
        };
        if left.is_zero() {
            return Err(Status::deadline_exceeded("no time left for this call"));
        }
        let token = self
            .key
            .sign(&self.caller)
            .map_err(|_| Status::internal("caller token not signed"))?;
        let metadata = request.metadata_mut();
        let ascii = |text: String| {
            text.parse()
                .map_err(|_| Status::internal("metadata is not ASCII"))
        };
        metadata.insert("authorization", ascii(format!("Bearer {token}"))?);
        metadata.insert("grpc-timeout", ascii(deadline::format(left))?);
        if let Some(parent) = telemetry::trace_parent() {
            metadata.insert("traceparent", ascii(parent)?);
        }
        if let Some(id) = self.correlation_id.clone().or_else(correlation::current) {
            metadata.insert(correlation::HEADER, id);
        }
        Ok(request)
    }
}
