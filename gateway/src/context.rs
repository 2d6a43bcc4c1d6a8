//! Identity and correlation id of the calls that the gateway makes for a request.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use callers::Caller;
use http::HeaderValue;
use http::request::Parts;

/// Identifies a request in all processes. Returned to the client.
#[derive(Debug, Clone)]
pub(crate) struct CorrelationId(pub(crate) HeaderValue);

/// Sent with each call to a service.
#[derive(Debug, Clone)]
pub(crate) struct CallContext {
    pub(crate) caller: Caller,
    pub(crate) correlation_id: HeaderValue,
}

impl CallContext {
    pub(crate) fn new(caller: Caller, parts: &Parts) -> Self {
        let correlation_id = parts.extensions.get::<CorrelationId>();
        Self {
            caller,
            correlation_id: correlation_id.map_or(HeaderValue::from_static(""), |id| id.0.clone()),
        }
    }

    /// Creates the context of calls that the gateway makes for itself.
    pub(crate) fn of_gateway(parts: &Parts) -> Self {
        Self::new(Caller::from_service("gateway"), parts)
    }

    /// Returns the context of the same request for calls that the gateway makes for itself.
    pub(crate) fn as_gateway(&self) -> Self {
        Self {
            caller: Caller::from_service("gateway"),
            correlation_id: self.correlation_id.clone(),
        }
    }
}

/// Public calls have the gateway as their caller.
impl<S: Send + Sync> FromRequestParts<S> for CallContext {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(Self::of_gateway(parts))
    }
}
