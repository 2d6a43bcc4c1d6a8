//! gRPC client: lazy connections to the replicas of one process, so that processes start in any order.

use std::sync::Arc;

use serde::Serialize;
use tonic::{
    Request, Status,
    metadata::AsciiMetadataValue,
    service::{Interceptor, interceptor::InterceptedService},
};

use super::{
    address::AddressList,
    connection::{Connection, IsIdempotent},
    correlation, deadline,
};
use crate::{caller::CallerKey, config::setting_of, telemetry};

/// Transport of a generated client: `StoresClient::new(client.as_service())`.
pub type ClientChannel = InterceptedService<Connection, ClientInterceptor>;

/// Signs a new token for a fixed caller. Hides the type of the caller, so that there is one [`ClientChannel`] type.
type SignToken = Arc<dyn Fn() -> Result<String, jsonwebtoken::errors::Error> + Send + Sync>;

/// Client of one process.
#[derive(Clone)]
pub struct GrpcClient {
    connection: Connection,
    callee: &'static str,
    key: CallerKey,
    sign_as_service: SignToken,
}

impl std::fmt::Debug for GrpcClient {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("GrpcClient")
            .field("connection", &self.connection)
            .finish_non_exhaustive()
    }
}

impl GrpcClient {
    /// Creates a client of the process named `callee`. `addresses` are those of its replicas, such as
    /// `http://host:port`, separated by commas; a host name stands for all its addresses. `own` is the caller for calls
    /// that this process makes on its own behalf.
    ///
    /// # Errors
    /// An address is not a URI; the message names the setting, such as `STORES_ADDRESS`.
    pub fn new<C: CallerIdentity>(
        own: C,
        callee: &'static str,
        addresses: &str,
        key: CallerKey,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            connection: Connection::new(AddressList::parse(&setting_of(callee, "ADDRESS"), addresses)?),
            sign_as_service: sign_token(key.clone(), callee, own),
            callee,
            key,
        })
    }

    /// Sets the methods that are retried after a failure. By default, only calls that were not processed are retried.
    #[must_use]
    pub fn with_idempotent_methods(mut self, is_idempotent: IsIdempotent) -> Self {
        self.connection.is_idempotent = is_idempotent;
        self
    }

    /// Sets the idempotent methods that only read: half of their time is left for a second replica. Other idempotent methods are only
    /// retried if the first replica is lost, because a slow call may be doing the work.
    #[must_use]
    pub fn with_reads(mut self, is_read: IsIdempotent) -> Self {
        self.connection.is_read = is_read;
        self
    }

    /// Returns a channel for calls that this process makes on its own behalf.
    #[must_use]
    pub fn as_service(&self) -> ClientChannel {
        self.channel(Arc::clone(&self.sign_as_service), None)
    }

    /// Returns a channel for calls on behalf of `caller`.
    #[must_use]
    pub fn as_caller<C: CallerIdentity>(&self, caller: C) -> ClientChannel {
        self.channel(sign_token(self.key.clone(), self.callee, caller), None)
    }

    /// Returns a channel for calls on behalf of `caller` with an explicit correlation id, for processes that do not
    /// receive their requests through this crate's gRPC server.
    #[must_use]
    pub fn as_caller_correlated<C: CallerIdentity>(&self, caller: C, correlation_id: &str) -> ClientChannel {
        self.channel(
            sign_token(self.key.clone(), self.callee, caller),
            correlation_id.parse().ok(),
        )
    }

    fn channel(&self, sign: SignToken, correlation_id: Option<AsciiMetadataValue>) -> ClientChannel {
        let interceptor = ClientInterceptor { sign, correlation_id };
        InterceptedService::new(self.connection.clone(), interceptor)
    }
}

/// A type that identifies callers in tokens.
pub trait CallerIdentity: Serialize + Send + Sync + 'static {}

impl<C: Serialize + Send + Sync + 'static> CallerIdentity for C {}

fn sign_token<C: CallerIdentity>(key: CallerKey, callee: &'static str, caller: C) -> SignToken {
    Arc::new(move || key.sign(&caller, callee))
}

/// Adds the caller token, the deadline, the trace and the correlation id to each call.
#[derive(Clone)]
pub struct ClientInterceptor {
    sign: SignToken,
    correlation_id: Option<AsciiMetadataValue>,
}

impl std::fmt::Debug for ClientInterceptor {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ClientInterceptor")
            .field("correlation_id", &self.correlation_id)
            .finish_non_exhaustive()
    }
}

impl Interceptor for ClientInterceptor {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        // A timeout set on the request replaces the default timeout, not the deadline of the call being served.
        let requested = request
            .metadata()
            .get("grpc-timeout")
            .and_then(|value| deadline::parse(value.to_str().ok()?));
        let timeout = match requested {
            Some(requested) => deadline::time_remaining().map_or(requested, |time| time.min(requested)),
            None => deadline::call_timeout(),
        };
        if timeout.is_zero() {
            return Err(Status::deadline_exceeded("deadline exceeded before the call"));
        }
        let token = (self.sign)().map_err(|_| Status::internal("cannot sign the caller token"))?;
        let metadata = request.metadata_mut();
        let ascii = |text: String| {
            text.parse()
                .map_err(|_| Status::internal("metadata is not ASCII"))
        };
        metadata.insert("authorization", ascii(format!("Bearer {token}"))?);
        metadata.insert("grpc-timeout", ascii(deadline::format(timeout))?);
        if let Some(parent) = telemetry::trace_parent() {
            metadata.insert("traceparent", ascii(parent)?);
        }
        if let Some(id) = self.correlation_id.clone().or_else(correlation::current) {
            metadata.insert(correlation::HEADER, id);
        }
        Ok(request)
    }
}
