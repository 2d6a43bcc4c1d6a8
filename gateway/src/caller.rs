//! On whose behalf a handler calls the services.

use axum::extract::FromRequestParts;
use http::request::Parts;
use callers::Caller;
use types::{ConsumerId, SessionId};

use crate::envelope::ApiError;
use crate::gateway::Gateway;
use crate::session;

/// The id that a request carries through every process, echoed in its answer.
#[derive(Debug, Clone)]
pub struct CorrelationId(pub String);

/// What goes with each call to a service: who calls, and for which request.
#[derive(Debug, Clone)]
pub struct Call {
    /// On whose behalf.
    pub caller: Caller,
    /// For which request.
    pub correlation_id: String,
}

impl Call {
    /// By the gateway itself.
    #[must_use]
    pub fn own(parts: &Parts) -> Self {
        Self {
            caller: own_caller(),
            correlation_id: correlation_id(parts),
        }
    }

    /// The same request, asked by the gateway itself.
    #[must_use]
    pub fn as_gateway(&self) -> Self {
        Self {
            caller: own_caller(),
            correlation_id: self.correlation_id.clone(),
        }
    }
}

fn own_caller() -> Caller {
    Caller::Service {
        name: "gateway".to_owned(),
    }
}

fn correlation_id(parts: &Parts) -> String {
    parts
        .extensions
        .get::<CorrelationId>()
        .map(|id| id.0.clone())
        .unwrap_or_default()
}

impl<S: Send + Sync> FromRequestParts<S> for Call {
    type Rejection = ApiError;

    /// The gateway itself, for what anybody may ask.
    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        Ok(Self::own(parts))
    }
}

/// The signed-in consumer. Only routes behind the session guard have one.
#[derive(Debug, Clone)]
pub struct Consumer {
    /// Who.
    pub id: ConsumerId,
    /// By which session.
    pub session: SessionId,
    /// For the services.
    pub call: Call,
}

impl Consumer {
    /// The consumer of a session that was found good.
    #[must_use]
    pub fn new(id: ConsumerId, session: SessionId, parts: &Parts) -> Self {
        let call = Call {
            caller: Caller::Consumer { id, session },
            correlation_id: correlation_id(parts),
        };
        Self { id, session, call }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Consumer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(ApiError::unauthenticated)
    }
}

/// Anybody; the consumer where one is signed in and can be found out.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// For the services.
    pub call: Call,
    /// Whether it is a consumer.
    pub signed_in: bool,
}

impl FromRequestParts<Gateway> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, ApiError> {
        // A session that cannot be looked up just now must not close the shop: the marks are missing then.
        match session::consumer(gateway, parts).await {
            Ok(consumer) => Ok(Self {
                call: consumer.call,
                signed_in: true,
            }),
            Err(_) => Ok(Self {
                call: Call::own(parts),
                signed_in: false,
            }),
        }
    }
}

/// A store's own system. Only routes behind the credential guard have one.
#[derive(Debug, Clone)]
pub struct StoreSystem(pub Call);

impl<S: Send + Sync> FromRequestParts<S> for StoreSystem {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(ApiError::unauthenticated)
    }
}
